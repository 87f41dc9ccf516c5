import Synchronization
import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("Classes of items (S85)")
struct ItemClassTests {
  /// Runs a closure on a new queue of the class `background` and names its thread.
  private func name(_ submit: (WorkQueue, WorkGroup, @escaping @Sendable () -> Void) -> Void)
    -> String
  {
    let pool = WorkerPool(name: "class", width: 1, maximumThreadCount: 1)
    let queue = WorkQueue(label: "class", qos: .background, pool: pool)
    let name = Mutex("")
    let group = WorkGroup()
    submit(queue, group) { name.withLock { $0 = currentThreadName } }
    group.wait()
    return name.withLock { $0 }
  }

  private static let threads: [(WorkItem.Flags, String)] = [
    ([], "class-high-0"),
    (.enforceQoS, "class-high-0"),
    (.detached, "class-high-0"),
    (.barrier, "class-high-0"),
    (.noQoS, "class-bg-0"),
    (.inheritQoS, "class-bg-0"),
    ([.inheritQoS, .enforceQoS], "class-high-0"),
    ([.noQoS, .barrier], "class-bg-0"),
  ]

  @Test("Flags decide whether the item's own class counts", arguments: threads)
  func flagsSayWhetherItsOwnClassCounts(flags: WorkItem.Flags, thread: String) {
    let closure = name { queue, group, body in
      queue.async(group: group, qos: .userInitiated, flags: flags, execute: body)
    }
    let item = name { queue, group, body in
      let item = WorkItem(qos: .userInitiated, flags: flags, block: body)
      queue.async(group: group, execute: item)
    }
    let late = name { queue, group, body in
      let item = WorkItem(qos: .userInitiated, flags: flags, block: body)
      queue.asyncAfter(deadline: .now() + .milliseconds(1), execute: item)
      item.wait()
    }
    #expect([closure, item, late] == Array(repeating: thread, count: 3))
  }

  @Test("A class below that of the queue does not lower it")
  func aClassBelowTheQueuesDoesNotLowerIt() {
    let pool = WorkerPool(name: "class", width: 1, maximumThreadCount: 1)
    let queue = WorkQueue(label: "class", pool: pool)
    let name = Mutex("")
    let group = WorkGroup()
    queue.async(group: group, qos: .background, flags: .enforceQoS) {
      name.withLock { $0 = currentThreadName }
    }
    group.wait()
    #expect(name.withLock { $0 } == "class-0")
  }
}
