// Prints the lines of a file, or of standard input, that contain a word: LogReader WORD [FILE]

import Glibc
import IOChannels

/// Copies the lines that contain a word from one channel to another one, each with a line feed.
func copyLines(
  containing word: String,
  from source: IOChannel,
  to target: IOChannel
) async throws {
  let pattern = DataBuffer(word.utf8)
  let lineFeed = DataBuffer("\n".utf8)
  // Lines are collected and written 64 KiB at a time, and the rest at the end.
  try await target.withBufferedWriter(capacity: 64 * 1024) { writer in
    for try await line in ChannelReader(source).lines where line.firstRange(of: pattern) != nil {
      try await writer.append(line + lineFeed)
    }
  }
}

let arguments = CommandLine.arguments.dropFirst()
let word = arguments.first ?? "error"
do {
  if let path = arguments.dropFirst().first {
    try await IOChannel.withOpen(path) { file in
      try await copyLines(containing: word, from: file, to: .standardOutput)
    }
  } else {
    try await copyLines(containing: word, from: .standardInput, to: .standardOutput)
  }
} catch let error as IOChannelError where error.reason == .brokenPipe {
  // A reader that ends early, such as `head`, is no error.
} catch {
  try? await IOChannel.standardError.write(DataBuffer("log: \(error)\n".utf8))
  exit(1)
}
