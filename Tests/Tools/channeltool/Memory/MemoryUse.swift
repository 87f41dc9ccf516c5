import IOChannels
import IOChannelsEngine
import IOChannelsSystem
import IOChannelsTestSupport

/// `channeltool memory`: uses channels in ways that could take much memory, and measures it.
enum MemoryUse {
  static let usage = """
    channeltool memory queued BACKEND COUNT DIRECTORY    reads of 4 KiB that wait on one channel
    channeltool memory channels BACKEND COUNT DIRECTORY  channels with reads of 64 KiB each
    channeltool memory kept BACKEND COUNT DIRECTORY      reads of 4 KiB whose bytes are kept
    """

  /// Prints four numbers: the most bytes that the budget lent, the most requests that had memory
  /// at a time, and the resident memory in KiB, at the beginning and its maximum.
  ///
  /// The last number is that of the end where bytes are kept.
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 4, let count = Int(arguments[2]), count > 0 else {
      throw UsageError()
    }
    let (way, setting) = (arguments[0], arguments[1])
    let gauge = Gauge(MemoryBudget(limit: 64 << 20))
    let engine = Engine(
      setting: setting,
      routing: .ring,
      budget: gauge.budget,
      // A read that succeeds at once would never wait.
      sizes: TransferSizes(atOnce: 0, peerAtOnce: 0),
      buffers: BufferPool(cachedBytesLimit: 64 << 20),
      observer: gauge
    )
    guard engine.choice.usesRing == (setting == "uring") else { stop(saying: "no \(setting) here") }
    let file = try openFile("\(arguments[3])/large", [.readWrite, .create])
    try file.borrowed.setSize(Int64(count) * 64 << 10)

    // The memory of the first use of each part is not counted.
    let ways = Ways(engine: engine, gauge: gauge)
    try ways.readQueued(10, of: file, keeping: false)
    let before = try Resident()
    let after: Int
    switch way {
    case "queued":
      try ways.readQueued(count, of: file, keeping: false)
      after = try Resident().most
    case "channels":
      try ways.readOnChannels(count, of: file)
      after = try Resident().most
    case "kept":
      after = try ways.readQueued(count, of: file, keeping: true)
    default: throw UsageError()
    }
    guard gauge.budget.used == 0 else {
      stop(saying: "The budget lacks \(gauge.budget.used) bytes.")
    }
    let most = gauge.most
    print("\(most.bytes) \(most.requests) \(before.now) \(after)")
  }
}
