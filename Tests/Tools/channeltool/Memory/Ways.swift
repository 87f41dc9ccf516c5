import DataRegions
import IOChannels
import QueueRuntime
import IOChannelsEngine
import IOChannelsLocks
import IOChannelsSystem

private let page = 4 << 10

/// The ways to use the channels of an engine.
struct Ways {
  let engine: Engine
  let gauge: Gauge

  private func channel(_ number: Int32, _ end: WorkGroup) -> IOChannel {
    end.enter()
    return IOChannel(
      type: .random,
      fileDescriptor: number,
      engine: engine,
      queue: .global(),
      cleanupHandler: { error in
        if let error = SystemError(errno: error) { stop(saying: "cleanup: \(error)") }
        end.leave()
      }
    )
  }

  /// Queues reads of a page on one channel; no handler returns before all are queued, and as many
  /// have ended as the channel may have memory for.
  ///
  /// - Returns: The resident memory at the end, with what was kept.
  @discardableResult
  func readQueued(
    _ count: Int,
    of file: borrowing OwnedDescriptor,
    keeping: Bool
  ) throws -> Int {
    let end = WorkGroup()
    let channel = channel(file.rawValue, end)
    let queue = WorkQueue(label: "handlers")
    let mayReturn = CountingSemaphore(value: 0)
    queue.async { mayReturn.wait() }
    gauge.reset(awaiting: min(count, engine.budget.limit / 4 / page))
    let kept = BargingLock<[DataBuffer]>([])
    for index in 0..<count {
      channel.read(offset: Int64(index * page), length: page, queue: queue) { isDone, data, error in
        guard isDone, error == 0, let data, data.count == page else {
          stop(saying: "read \(index): \(data?.count ?? 0) bytes, error \(error)")
        }
        if keeping { kept.withLock { $0.append(data) } }
      }
    }
    channel.close()
    gauge.wait()
    mayReturn.signal()
    end.wait()
    return try withExtendedLifetime(kept) { try Resident().now }
  }

  /// Reads parts on many channels at once; no handler returns before all are queued, and as many
  /// have ended as there are channels, each of which always has memory for one.
  func readOnChannels(_ count: Int, of file: borrowing OwnedDescriptor) throws {
    let parts = 16
    let length = 64 << 10
    let end = WorkGroup()
    let queue = WorkQueue(label: "handlers")
    let mayReturn = CountingSemaphore(value: 0)
    queue.async { mayReturn.wait() }
    gauge.reset(awaiting: count)
    // Channels of one number would have one order.
    var numbers: [Int32] = []
    for _ in 0..<count { numbers.append(try file.borrowed.duplicate().release()) }
    for number in numbers {
      let channel = channel(number, end)
      for part in 0..<parts {
        channel.read(offset: Int64(part * length), length: length, queue: queue) { _, data, error in
          if error != 0 || data == nil { stop(saying: "error \(error)") }
        }
      }
      channel.close()
    }
    gauge.wait()
    mayReturn.signal()
    end.wait()
    for number in numbers { _ = OwnedDescriptor(owning: number) }
  }
}
