// Reads lines up to an empty one from standard input, and then the bytes behind them to the end.
//
// It prints the lines, then how many bytes there were and their sum.

import IOChannels

let channel = IOChannel(type: .stream, fileDescriptor: 0, queue: .global()) { _ in }
let reader = LineReader(channel)
for try await line in reader.lines {
  if line.isEmpty { break }
  print(String(decoding: line, as: UTF8.self))
}
var count = 0
var sum: UInt32 = 0
while true {
  let part = try await reader.read(upTo: 10_000)
  if part.isEmpty { break }
  count += part.count
  for byte in part { sum = sum &* 31 &+ UInt32(byte) }
}
print("body \(count) \(sum)")
