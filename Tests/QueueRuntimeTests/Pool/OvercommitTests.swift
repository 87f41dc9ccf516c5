import IOChannelsTestSupport
import Synchronization
import Testing

@testable import QueueRuntime

@Suite("Global queues with a thread for each item")
struct OvercommitTests {
  /// More than the processors of a usual machine for tests.
  private static let count = 12

  /// A number that items raise, and for which each of them waits without blocking its thread.
  private final class Meeting: Sendable {
    private let present = Atomic<Int>(0)
    private let met = Atomic<Int>(0)

    var isComplete: Bool { met.load(ordering: .relaxed) == OvercommitTests.count }

    func attend() {
      present.add(1, ordering: .relaxed)
      let end = Deadline.now() + .seconds(20)
      while present.load(ordering: .relaxed) < OvercommitTests.count {
        if Deadline.now() > end { return }
      }
      met.add(1, ordering: .relaxed)
    }
  }

  @Test("Items that never block run at once")
  func items() {
    let (meeting, group) = (Meeting(), WorkGroup())
    for _ in 0..<Self.count {
      WorkQueue.overcommit(qos: .default).async(group: group) { meeting.attend() }
    }
    group.wait()
    #expect(meeting.isComplete)
  }

  @Test("Queues that target such a queue run at once", arguments: [true, false])
  func targets(isCreatedSo: Bool) {
    let (meeting, group) = (Meeting(), WorkGroup())
    let target = WorkQueue.overcommit(qos: .default)
    let queues = (0..<Self.count).map { _ in
      let queue = WorkQueue(label: "queue", target: isCreatedSo ? target : nil)
      if !isCreatedSo { queue.setTarget(queue: target) }
      return queue
    }
    for queue in queues {
      queue.async(group: group) {
        WorkQueue.precondition(.onQueue(target))
        WorkQueue.precondition(.notOnQueue(.overcommit(qos: .utility)))
        WorkQueue.precondition(.notOnQueue(.global()))
        #expect(currentThreadName.hasPrefix("over"))
        meeting.attend()
      }
    }
    group.wait()
    #expect(meeting.isComplete)
  }

  @Test("A loop has one thread for each processor")
  func loops() {
    let names = Log<String>()
    WorkQueue.overcommit(qos: .default).concurrentPerform(iterations: 1000) { _ in
      names.note(currentThreadName)
    }
    #expect(names.events.count == 1000)
    #expect(Set(names.events).count <= WorkerPool.shared.loopWidth)
  }
}
