// Copies the lines of one stream that contain a word to another stream.

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

// snippet.hide
let log = BytePath("\(CommandLine.arguments[0]).lines")
try await IOChannel.withOpen(log, [.writeOnly, .create, .truncate]) { file in
  try await file.write(DataBuffer("one error\ntwo\nerror three".utf8))
}
try await IOChannel.withOpen(log) { file in
  try await copyLines(containing: "error", from: file, to: .standardOutput)
}
// one error
// error three
