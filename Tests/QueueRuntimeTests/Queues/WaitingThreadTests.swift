import IOChannelsSystem
import Testing

@testable import QueueRuntime

@Suite(
  "Threads that wait in a concurrent queue while every worker is blocked",
  .timeLimit(.minutes(5))
) struct WaitingThreadTests {
  private let pool = WorkerPool(name: "blocked", width: 1, maximumThreadCount: 1)
  private let end = CountingSemaphore(value: 0)

  init() {
    WorkQueue(label: "blocked", pool: pool).async { [end] in end.wait() }
  }

  /// Starts threads that wait for a queue, and returns when all of them do.
  private func start(
    _ count: Int,
    waitingFor queue: WorkQueue,
    flags: WorkItem.Flags,
    in group: WorkGroup
  ) throws {
    for _ in 0..<count {
      group.enter()
      try PlatformThread.start(name: "waiting") {
        queue.sync(flags: flags) {}
        group.leave()
      }
    }
    while queue.core.counts.added < count {}
  }

  @Test(
    "The thread that ends a barrier admits the readers",
    arguments: [WorkItem.Flags(), .barrier]
  )
  func theThreadThatEndsABarrierLetsThemIn(flags: WorkItem.Flags) throws {
    let queue = WorkQueue(label: "concurrent", attributes: .concurrent, pool: pool)
    let group = WorkGroup()
    try queue.sync(flags: .barrier) {
      try start(3, waitingFor: queue, flags: flags, in: group)
    }
    group.wait()
    end.signal()
  }

  @Test("The last reader admits a barrier, and the barrier the other readers")
  func theLastOneInsideLetsABarrierInAndThatOneTheOthers() throws {
    let queue = WorkQueue(label: "concurrent", attributes: .concurrent, pool: pool)
    let group = WorkGroup()
    try queue.sync {
      group.enter()
      try PlatformThread.start(name: "barrier") {
        queue.sync(flags: .barrier) {}
        group.leave()
      }
      // Nobody passes a barrier that was announced.
      while queue.core.tryEnter(queue, isBarrier: false) != .none {
        queue.core.exit(queue, from: .shared)
      }
      try start(3, waitingFor: queue, flags: [], in: group)
    }
    group.wait()
    end.signal()
  }
}
