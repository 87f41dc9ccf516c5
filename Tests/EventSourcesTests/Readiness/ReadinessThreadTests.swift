import Synchronization
import IOChannelsLocks
import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Thread of a readiness list")
struct ReadinessThreadTests {
  @Test("A registration beside one whose thread cannot start has a thread")
  func concurrentStart() async throws {
    let poll = ManualPoll()
    let starts = BargingLock(0)
    let other = WorkGroup()
    let holder = BargingLock<ReadinessList?>(nil)
    let second = BargingLock<ReadinessToken?>(nil)
    let list = ReadinessList(poll: poll) { (_, _) throws(SystemError) in
      let isFirst = starts.withLock { count in
        count += 1
        return count == 1
      }
      guard isFirst else { return }
      other.enter()
      WorkQueue.global().async {
        let list = holder.withLock { $0 }
        let token = try? list?.register(6, for: .readable, CountingReceiver())
        second.withLock { $0 = token }
        other.leave()
      }
      // The other registration gets as far as it can.
      let end = KernelClock.uptime.nanoseconds + 50_000_000
      while !poll.calls.contains(.add(6)), KernelClock.uptime.nanoseconds < end {}
      throw .resourceTemporarilyUnavailable
    }
    holder.withLock { $0 = list }
    #expect(throws: SystemError.resourceTemporarilyUnavailable) {
      try list.register(5, for: .readable, CountingReceiver())
    }
    try await other.completion()
    #expect(second.withLock { $0 } == nil || starts.withLock { $0 } == 2)
    holder.withLock { $0 = nil }
  }
}
