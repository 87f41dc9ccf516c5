// Copies the lines of one stream that contain a word to another stream.

import Glibc
import IOChannels

/// Copies the lines that contain a word from one descriptor to another one, each with a line feed.
func copyLines(containing word: String, from input: Int32, to output: Int32) async throws {
  // The process owns its standard streams, so the cleanup handlers close nothing.
  let source = IOChannel(type: .stream, fileDescriptor: input, queue: .global()) { _ in }
  let target = IOChannel(type: .stream, fileDescriptor: output, queue: .global()) { _ in }
  defer {
    source.close()
    target.close()
  }
  let pattern = DataBuffer(word.utf8)
  let lineFeed = DataBuffer("\n".utf8)
  // Lines are collected and written 64 KiB at a time, and the rest at the end.
  try await target.withBufferedWriter(capacity: 64 * 1024) { writer in
    for try await line in LineReader(source).lines where line.firstRange(of: pattern) != nil {
      try await writer.append(line + lineFeed)
    }
  }
}

// snippet.hide
var ends: [Int32] = [0, 0]
pipe(&ends)
write(ends[1], "one error\ntwo\nerror three", 25)
close(ends[1])
try await copyLines(containing: "error", from: ends[0], to: STDOUT_FILENO)
// one error
// error three
