import Dispatch
import Foundation
import IOChannels
import Measure
import Synchronization

/// B12: what work costs while much of it is in flight; the reads at the engine's interface are in
/// `EngineReads`.
enum Outstanding {
  static let rows = [
    Row(
      id: "B12.items",
      work: "closures in a serial queue, each of which submits another, 100,000 in flight",
      rival: "the same with 64 in flight",
      goal: 0.9
    ) { size in
      let count = size.count(quick: 1_000_000, full: 4_000_000)
      return Sides(
        ours: { try relay(count, inFlight: 100_000) },
        theirs: { try relay(count, inFlight: 64) }
      )
    },
    Row(
      bound: 64,
      unit: "bytes",
      id: "B12.bytes",
      work: "memory of a submitted closure beyond the closure, 100,000 in flight"
    ) { _ in try Turn.bytesOfItem.inNewProcess() },
    channelReads("B12.channel-reads-10k", 10_000, kept: 10_000),
    channelReads("B12.channel-reads", 100_000, kept: 16_000),
    channelReads("B12.channel-reads-10k-plain", 10_000, kept: 0),
    channelReads("B12.channel-reads-plain", 100_000, kept: 0),
    Row(
      bound: 400,
      unit: "bytes",
      id: "B12.channel-read-bytes",
      work: "memory of a read that waits for a pipe, beyond its handler, 100,000 in flight"
    ) { _ in try Turn.bytesOfRead.inNewProcess() },
    Row(
      bound: 512,
      unit: "bytes",
      id: "B12.channel-ended-bytes",
      work: "memory of a read of a byte that waits for its handler, beyond that, 100,000 in flight"
    ) { _ in try Turn.bytesOfEndedRead.inNewProcess() },
  ]

  /// Creates a row of channel reads whose results wait for their handlers. Each result has memory
  /// of its own, and caches are small. So the other tool keeps as many results as a channel has
  /// memory for, as the channel has in flight, or none.
  private static func channelReads(_ id: String, _ inFlight: Int, kept: Int) -> Row {
    let reads = "1,000,000 random reads of 4 KiB (quick: 300,000) through a channel, cached on ext4"
    return Row(
      id: id,
      work: "\(reads), \(inFlight / 1000),000 in flight",
      rival: "64 in flight, \(kept == 0 ? "no" : "the last \(kept / 1000),000") results kept",
      goal: 0.9
    ) { size in
      let file = try CachedFile.shared(megabytes: 128)
      let count = size.count(quick: 300_000, full: 1_000_000)
      func read(_ inFlight: Int, keeping kept: Int = 0) throws -> Timing {
        try ChannelRead.random(path: file.path, count: count, inFlight: inFlight, keeping: kept)
      }
      return Sides(ours: { try read(inFlight) }, theirs: { try read(64, keeping: kept) })
    }
  }

  /// Has closures follow each other, so many at a time.
  private static func relay(_ count: Int, inFlight: Int) throws -> Timing {
    let relay = Relay(count, inFlight: inFlight)
    return try timed(expecting: 0) { relay.run() }
  }

  /// Returns the bytes that one closure occupies in a queue, apart from its own.
  static func bytesOfItem(_ count: Int) throws -> Double {
    let queue = WorkQueue(label: "bench")
    let counter = Counter()
    queue.suspend()
    let before = try Probes.residentBytes()
    // A closure that holds one object has no memory of its own.
    for _ in 0..<count { queue.async { counter.value += 1 } }
    let after = try Probes.residentBytes()
    queue.resume()
    queue.sync {}
    return Double(after - before) / Double(count)
  }

  /// Returns the bytes that one read of a channel occupies until it has some, apart from its
  /// handler.
  static func bytesOfRead(_ count: Int) throws -> Double {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw CommandFailure(description: "no pipe: error \(errno)") }
    let queue = WorkQueue(label: "bench")
    let end = WorkGroup()
    end.enter()
    let channel = IOChannel(type: .stream, fileDescriptor: ends[0], queue: queue) { _ in
      end.leave()
    }
    let before = try Probes.residentBytes()
    for _ in 0..<count {
      // One that holds nothing has no memory of its own.
      channel.read(offset: 0, length: 4096, queue: queue) { _, _, _ in }
    }
    let after = try Probes.residentBytes()
    channel.close(flags: .stop)
    end.wait()
    ends.forEach { close($0) }
    return Double(after - before) / Double(count)
  }
}

extension Outstanding {
  /// Returns the bytes that one read of a channel occupies while its byte waits for the handler,
  /// apart from that.
  static func bytesOfEndedRead(_ count: Int) throws -> Double {
    // A file that is in memory: this program.
    let descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CommandFailure(description: "no program: error \(errno)") }
    let queue = WorkQueue(label: "bench")
    let end = WorkGroup()
    end.enter()
    let channel = IOChannel(type: .random, fileDescriptor: descriptor, queue: .global()) { _ in
      end.leave()
    }
    queue.suspend()
    let before = try Probes.residentBytes()
    for index in 0..<count {
      // One that holds nothing has no memory of its own.
      channel.read(offset: Int64(index), length: 1, queue: queue) { _, _, _ in }
    }
    // All reads have returned from the engine when a barrier runs.
    let isRead = DispatchSemaphore(value: 0)
    channel.barrier { isRead.signal() }
    isRead.wait()
    let after = try Probes.residentBytes()
    queue.resume()
    channel.close()
    end.wait()
    close(descriptor)
    return Double(after - before) / Double(count)
  }
}

/// Closures in a serial queue, each of which submits another until all have run.
private final class Relay: Sendable {
  private let queue = WorkQueue(label: "bench")
  private let left: Atomic<Int>
  private let inFlight: Int
  private let done = CountingSemaphore(value: 0)

  init(_ count: Int, inFlight: Int) {
    left = Atomic(count)
    self.inFlight = inFlight
    queue.suspend()
    for _ in 0..<inFlight { submit() }
  }

  /// Lets them run, and returns how many have not.
  func run() -> Int {
    queue.resume()
    done.wait()
    return left.load(ordering: .relaxed)
  }

  private func submit() {
    queue.async { self.step() }
  }

  private func step() {
    let left = left.subtract(1, ordering: .relaxed).newValue
    if left >= inFlight { submit() }
    if left == 0 { done.signal() }
  }
}
