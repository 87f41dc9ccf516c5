import QueueRuntime
import Synchronization
import IOChannelsSystem
import Testing

@Suite("Work of queues as work of their targets (S72, S73, S74)")
struct HierarchyTests {
  @Test(
    "Children of a serial target exclude each other",
    arguments: [WorkQueue.Attributes(), .concurrent]
  )
  func childrenOfASerialTargetExcludeEachOther(attributes: WorkQueue.Attributes) {
    let target = WorkQueue(label: "target")
    let children = (0..<4).map {
      WorkQueue(label: "child \($0)", attributes: attributes, target: target)
    }
    let counter = UnguardedCounter()
    let all = WorkGroup()
    for number in 0..<4000 {
      children[number % 4].async(group: all) { counter.increase() }
      if number % 10 == 0 { target.async(group: all) { counter.increase() } }
      if number % 25 == 0 { children[number % 3].sync { counter.increase() } }
      if number % 80 == 0 { children[number % 3].sync(flags: .barrier) { counter.increase() } }
    }
    all.wait()
    #expect(target.sync { counter.count } == 4610)
  }

  @Test("A serial child keeps its order under a concurrent target")
  func aSerialChildKeepsItsOrderUnderAConcurrentTarget() {
    let target = WorkQueue(label: "target", attributes: .concurrent)
    let children = (0..<3).map { WorkQueue(label: "child \($0)", target: target) }
    let logs = children.map { _ in Log<Int>() }
    let all = WorkGroup()
    for number in 0..<900 {
      let log = logs[number % 3]
      children[number % 3].async(group: all) { log.note(number) }
    }
    all.wait()
    for (index, log) in logs.enumerated() {
      #expect(log.events == Array(stride(from: index, to: 900, by: 3)))
    }
  }

  @Test("Serial children of a concurrent target run concurrently")
  func serialChildrenOfAConcurrentTargetRunSideBySide() {
    let target = WorkQueue(label: "target", attributes: .concurrent)
    let children = (0..<3).map { WorkQueue(label: "child \($0)", target: target) }
    let arrived = WorkGroup()
    let all = WorkGroup()
    for _ in children { arrived.enter() }
    for child in children {
      child.async(group: all) {
        arrived.leave()
        arrived.wait()
      }
    }
    #expect(all.wait(timeout: .now() + .seconds(60)) == .success)
  }

  @Test("A barrier of the target excludes the children")
  func aBarrierOfTheTargetExcludesTheChildren() {
    let target = WorkQueue(label: "target", attributes: .concurrent)
    let children = (0..<3).map { WorkQueue(label: "child \($0)", target: target) }
    let inside = Atomic<Int>(0)
    let faults = Atomic<Int>(0)
    let all = WorkGroup()
    for number in 0..<6000 {
      children[number % 3].async(group: all) {
        inside.add(1, ordering: .relaxed)
        inside.subtract(1, ordering: .relaxed)
      }
      guard number % 20 == 0 else { continue }
      target.async(group: all, flags: .barrier) {
        if inside.load(ordering: .relaxed) != 0 { faults.add(1, ordering: .relaxed) }
      }
      target.sync(flags: .barrier) {
        if inside.load(ordering: .relaxed) != 0 { faults.add(1, ordering: .relaxed) }
      }
    }
    all.wait()
    #expect(faults.load(ordering: .relaxed) == 0)
  }

  @Test("A chain of many queues runs and ends")
  func aChainOfManyQueuesRunsAndEnds() {
    let root = WorkQueue(label: "root")
    var leaf = root
    for level in 0..<1000 { leaf = WorkQueue(label: "level \(level)", target: leaf) }
    let all = WorkGroup()
    let log = EventLog()
    leaf.async(group: all) { log.note("async") }
    all.wait()
    leaf.sync { log.note("sync") }
    leaf.asyncAndWait { log.note("asyncAndWait") }
    #expect(log.events == ["async", "sync", "asyncAndWait"])
    weak let watched = root
    #expect(watched != nil)
  }

  @Test("A sync is on the targets too")
  func syncHasTheTargetsToo() {
    let target = WorkQueue(label: "target")
    let middle = WorkQueue(label: "middle", attributes: .concurrent, target: target)
    let child = WorkQueue(label: "child", target: middle)
    let log = EventLog()
    let all = WorkGroup()
    child.sync {
      target.async(group: all) { log.note("target") }
      middle.async(group: all, flags: .barrier) { log.note("middle") }
      child.async(group: all) { log.note("child") }
      log.note("sync")
    }
    all.wait()
    #expect(log.events.first == "sync")
    #expect(log.events.sorted() == ["child", "middle", "sync", "target"])
  }

  @Test("The method asyncAndWait runs on the caller's thread when idle")
  func asyncAndWaitRunsOnTheCallersThreadWhenIdle() {
    let target = WorkQueue(label: "target")
    let thread = PlatformThread.currentToken
    for attributes in [WorkQueue.Attributes(), .concurrent] {
      let queue = WorkQueue(label: "idle", attributes: attributes, target: target)
      #expect(queue.asyncAndWait { PlatformThread.currentToken } == thread)
      #expect(queue.asyncAndWait(flags: .barrier) { PlatformThread.currentToken } == thread)
    }
  }

  @Test(
    "The method asyncAndWait runs on the drainer's thread when busy",
    arguments: [WorkQueue.Attributes(), .concurrent]
  )
  func asyncAndWaitRunsOnTheDrainersThreadWhenBusy(attributes: WorkQueue.Attributes) {
    let queue = WorkQueue(label: "busy", attributes: attributes)
    let thread = PlatformThread.currentToken
    var other = thread
    // The queue may be idle again before this thread comes, which is rare.
    for _ in 0..<10_000 where other == thread {
      let log = EventLog()
      queue.suspend()
      queue.async(flags: .barrier) { log.note("before") }
      WorkQueue.global().async { queue.resume() }
      other = queue.asyncAndWait {
        WorkQueue.precondition(.onQueue(queue))
        log.note("body")
        return PlatformThread.currentToken
      }
      #expect(log.events == ["before", "body"])
    }
    #expect(other != thread)
  }

  @Test("The method asyncAndWait returns results and errors")
  func asyncAndWaitGivesResultsAndErrors() {
    struct Refusal: Error, Equatable {}
    let queue = WorkQueue(label: "results")
    for isBusy in [false, true] {
      if isBusy {
        queue.suspend()
        WorkQueue.global().async { queue.resume() }
      }
      let result = Result { () throws(Refusal) -> Int in
        try queue.asyncAndWait { () throws(Refusal) -> Int in throw Refusal() }
      }
      #expect(result == .failure(Refusal()))
      #expect(queue.asyncAndWait { 6 } == 6)
    }
  }
}
