import Dispatch
import IOChannels

private let itself = "whose work it runs, waits for itself."

/// The sentence about a thread that waits for a queue.
private func waiting(for queue: String, which other: String? = nil) -> String {
  let other = other.map { " which waits for \($0)," } ?? ""
  return "A thread that waits for the queue \(queue),\(other) \(itself)"
}

private func queue(_ label: String, _ attributes: WorkQueue.Attributes = []) -> WorkQueue {
  WorkQueue(label: label, attributes: attributes)
}

extension Misuse {
  /// Stops, targets, the main queue, and what threads are on.
  static let queues: [Misuse] = [
    .call("resume", "A queue is resumed once for each time it was suspended.", "S84") {
      let stopped = queue("stopped")
      stopped.suspend()
      stopped.resume()
      stopped.resume()
    },
    .call("resume-inactive", "An inactive queue is activated, not resumed.", "S84") {
      queue("inactive", .initiallyInactive).resume()
    },
    .call("release-suspended", "A queue is not released while it is suspended.", "S84") {
      queue("suspended").suspend()
    },
    .call("release-inactive", "A queue is not released before it is activated.", "S84") {
      _ = queue("inactive", .initiallyInactive)
    },
    .call(
      "keep-target",
      "A queue that was made with a target or inactive keeps its target once it is active.",
      "S77"
    ) {
      WorkQueue(label: "child", target: queue("target")).setTarget(queue: nil)
    },
    .call("target-itself", "The queue own would target itself.", "S84") {
      let own = queue("own")
      own.setTarget(queue: own)
      own.sync {}
    },
    .call("target-circle", "The queue own would target itself.", "S84") {
      let own = queue("own", .initiallyInactive)
      own.setTarget(queue: WorkQueue(label: "child", target: own))
    },
    .call("off-queue", "This must run on the queue own, but runs on other.", "S80") {
      let own = queue("own")
      queue("other").sync { WorkQueue.precondition(.onQueue(own)) }
    },
    .call("on-queue", "This must not run on the queue own.", "S80") {
      let own = queue("own")
      own.sync { WorkQueue.precondition(.notOnQueue(own)) }
    },
    .call("no-barrier", "This must run as a barrier of the queue own, but runs on own.", "S80") {
      let own = queue("own", .concurrent)
      own.sync { WorkQueue.precondition(.onQueueAsBarrier(own)) }
    },
    .call("not-isolated", "This must run as a barrier of the queue own, but runs on main.", "S80") {
      queue("own").checkIsolated()
    },
    .task("concurrent-executor", "Actors run on serial queues only.", "S81") {
      await Counter(queue("own", .concurrent)).increase()
    },
    .call("priority", "A relative priority lies between -15 and 0.", "S173") {
      _ = WorkQueue.QoS(qosClass: .utility, relativePriority: 1)
    },
    .call("low-priority", "A relative priority lies between -15 and 0.", "S173") {
      _ = WorkQueue.QoS(qosClass: .utility, relativePriority: -16)
    },
    .call("drain-elsewhere", "The main queue is drained by the main thread.", "S84") {
      WorkQueue.global().async { WorkQueue.drainMain() }
      WorkQueue.runMain()
    },
    .call("run-elsewhere", "The main queue is drained by the main thread.", "S84") {
      WorkQueue.global().async { WorkQueue.runMain() }
      WorkQueue.runMain()
    },
    .call("drain-inside", "The main queue is not drained by its own work.", "S84") {
      WorkQueue.main.async { WorkQueue.drainMain() }
      WorkQueue.runMain()
    },
    .call(
      "run-in-task",
      "The main thread belongs to the main actor, so the main queue cannot have it for ever.",
      "S78"
    ) {
      func run() { WorkQueue.runMain() }
      Task.immediate { run() }
    },
    .call(
      "run-in-dispatch",
      "Work of Dispatch's main queue cannot run the main queue for ever.",
      "S78"
    ) {
      DispatchQueue.main.async { WorkQueue.runMain() }
      WorkQueue.runMain()
    },
    .call("pool-width", "A pool is at least 1 wide.", "S173") {
      _ = WorkerPool(name: "flat", width: 0, maximumThreadCount: 1)
    },
    .call("pool-room", "The most threads of a pool are no fewer than its width.", "S173") {
      _ = WorkerPool(name: "narrow", width: 3, maximumThreadCount: 2)
    },
    .call("pool-bound", "A pool has at most 4096 threads.", "S173") {
      _ = WorkerPool(name: "huge", width: 1, maximumThreadCount: 4097)
    },
    .call("iterations", "A loop has no negative number of iterations.", "S89") {
      WorkQueue.concurrentPerform(iterations: -1) { _ in }
    },
    .call("iterations-of-queue", "A loop has no negative number of iterations.", "S89") {
      queue("own").concurrentPerform(iterations: -1) { _ in }
    },
  ]

  /// Waits for oneself, and things that are waited for.
  static let waits: [Misuse] = [
    .call("sync", waiting(for: "own"), "S83") {
      let own = queue("own")
      own.sync { own.sync {} }
    },
    .call("async-and-wait", waiting(for: "own"), "S83") {
      let own = queue("own")
      own.sync { own.asyncAndWait {} }
    },
    .call("sync-item", waiting(for: "own"), "S83") {
      let own = queue("own")
      own.sync { own.sync(execute: WorkItem {}) }
    },
    .call("sync-around", waiting(for: "first"), "S83") {
      let (first, second) = (queue("first"), queue("second"))
      first.sync { second.sync { first.sync {} } }
    },
    .call("sync-target", waiting(for: "target"), "S83") {
      let target = queue("target")
      WorkQueue(label: "child", target: target).sync { target.sync {} }
    },
    .call("sync-busy-child", waiting(for: "child", which: "target"), "S83") {
      let target = queue("target", .concurrent)
      let child = WorkQueue(label: "child", target: target)
      target.sync(flags: .barrier) {
        child.async {}
        child.sync {}
      }
    },
    .call("barrier-of-reader", waiting(for: "own"), "S83") {
      let own = queue("own", .concurrent)
      own.sync { own.sync(flags: .barrier) {} }
    },
    .call("sync-main", waiting(for: "main"), "S83") { WorkQueue.main.sync {} },
    .call("leave", "A group is left once for each time it was entered.", "S86") {
      WorkGroup().leave()
    },
    .call("debt", "A semaphore begins with permits, not with a debt.", "S87") {
      _ = CountingSemaphore(value: -1)
    },
    .call("permits-out", "A semaphore is not released while permits are out.", "S87") {
      CountingSemaphore(value: 1).wait()
    },
    .call("too-many-permits", "The number of permits of a semaphore fits in Int.", "S87") {
      CountingSemaphore(value: .max).signal()
    },
    .call("wait-twice", "A work item is waited for once.", "S85") {
      let item = WorkItem {}
      item.perform()
      item.wait()
      item.wait()
    },
    .task("await-twice", "A work item is waited for once.", "S85") {
      let item = WorkItem {}
      item.perform()
      try await item.completion()
      try await item.completion()
    },
    .call("wait-timeout-twice", "A work item is waited for once.", "S85") {
      let item = WorkItem {}
      item.perform()
      _ = item.wait(timeout: .distantFuture)
      _ = item.wait(wallTimeout: .now())
    },
    .call("wait-for-two-runs", "A work item that ran more than once is not waited for.", "S85") {
      let item = WorkItem {}
      item.perform()
      item.perform()
      item.wait()
    },
    .call("run-again", "A work item that is waited for runs once.", "S85") {
      let item = WorkItem {}
      item.perform()
      item.wait()
      item.perform()
    },
    .call("once", "What runs once would wait for itself.", "S88") {
      let once = Once()
      once.perform { once.perform {} }
    },
    .call("uptime", "A deadline of the boot time has no uptime.", "S90") {
      _ = Deadline.now(.bootTime).uptimeNanoseconds
    },
    .call("clocks", "Deadlines of two clocks have no order and no distance.", "S90") {
      _ = Deadline.now(.bootTime) < Deadline.now()
    },
    .call("distance", "Deadlines of two clocks have no order and no distance.", "S90") {
      _ = Deadline.now(.bootTime).distance(to: .now())
    },
  ]
}
