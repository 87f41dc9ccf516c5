// Reads lines up to an empty one from standard input, and then the bytes behind them to the end.
//
// It writes the lines, then how many bytes there were and their sum.

import IOChannels

/// Returns the lines before the first empty one, and a line about the bytes behind it.
func description(of reader: ChannelReader) async throws -> String {
  var text = ""
  for try await line in reader.stringLines {
    if line.isEmpty { break }
    text += line + "\n"
  }
  var count = 0
  var sum: UInt32 = 0
  for try await byte in reader.bytes {
    count += 1
    sum = sum &* 31 &+ UInt32(byte)
  }
  return text + "body \(count) \(sum)\n"
}

let text = try await description(of: ChannelReader(.standardInput))
try await IOChannel.standardOutput.write(DataBuffer(text.utf8))
