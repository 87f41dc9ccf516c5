// Uses channels in ways that could take much memory, in a process of its own, and tells how much
// they took.
//
//   channelmemory queued BACKEND COUNT DIRECTORY    reads of 4 KiB that wait on one channel
//   channelmemory channels BACKEND COUNT DIRECTORY  channels with reads of 64 KiB each
//   channelmemory kept BACKEND COUNT DIRECTORY      reads of 4 KiB whose bytes are kept
//
// It prints a line with four numbers: the most bytes that the budget has lent, the most requests
// that had memory at a time, and the resident memory in KiB, in the beginning and at most. The
// last one is that at the end where bytes are kept.

import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport

private let words = CommandLine.arguments
guard words.count == 5, let count = Int(words[3]), count > 0 else {
  stop(saying: "channelmemory WAY BACKEND COUNT DIRECTORY")
}

private let gauge = Gauge(MemoryBudget(limit: 64 << 20))
private let engine = Engine(
  setting: words[2],
  routing: .ring,
  budget: gauge.budget,
  // What is read at once is never waited for.
  sizes: TransferSizes(atOnce: 0, writeAtOnce: 0),
  buffers: BufferPool(cachedBytesLimit: 64 << 20),
  observer: gauge
)
guard engine.choice.usesRing == (words[2] == "uring") else { stop(saying: "no \(words[2]) here") }
private let file = try openFile("\(words[4])/large", [.readWrite, .create])
try file.borrowed.setSize(Int64(count) * 64 << 10)

// What the first use of everything takes is not counted.
private let ways = Ways(engine: engine, gauge: gauge)
try ways.readQueued(10, of: file, keeping: false)
private let before = try Resident()
private let after: Int
switch words[1] {
case "queued":
  try ways.readQueued(count, of: file, keeping: false)
  after = try Resident().most
case "channels":
  try ways.readOnChannels(count, of: file)
  after = try Resident().most
case "kept":
  after = try ways.readQueued(count, of: file, keeping: true)
default: stop(saying: "There is no way \(words[1]).")
}
guard gauge.budget.used == 0 else { stop(saying: "The budget lacks \(gauge.budget.used) bytes.") }
let most = gauge.most
print("\(most.bytes) \(most.requests) \(before.now) \(after)")
