// Reads lines up to an empty one from standard input, and then the bytes behind them to the end.
//
// It writes the lines, then how many bytes there were and their sum.

import IOChannels

let reader = ChannelReader(.standardInput)
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
text += "body \(count) \(sum)\n"
try await IOChannel.standardOutput.write(DataBuffer(text.utf8))
