import QueueRuntime
import Synchronization
import Testing

@Suite("Forms for C functions and contexts")
struct FunctionTests {
  @Test("Every form passes the context")
  func everyFormPassesTheContext() {
    let tally = Tally()
    let context = unsafe Unmanaged.passUnretained(tally).toOpaque()
    let queue = WorkQueue(label: "functions")
    let group = WorkGroup()
    unsafe queue.async(group: group, context: context, function: count)
    unsafe queue.async(flags: .barrier, context: context, function: count)
    group.wait()
    unsafe queue.sync(context: context, function: count)
    unsafe queue.sync(asBarrier: true, context: context, function: count)
    unsafe queue.asyncAndWait(context: context, function: count)
    #expect(tally.value == 5)
    let told = WorkGroup()
    told.enter()
    unsafe group.notify(queue: queue, context: context, function: count)
    group.notify(queue: queue) { told.leave() }
    told.wait()
    #expect(tally.value == 6)
    let once = Once()
    unsafe once.perform(context: context, function: count)
    unsafe once.perform(context: context, function: count)
    #expect(tally.value == 7)
    unsafe queue.concurrentPerform(iterations: 3, context: context) { context, _ in
      unsafe count(context)
    }
    #expect(tally.value == 10)
  }

  @Test("A time is kept on either clock")
  func aPointInTimeIsKeptWithEitherClock() {
    let tally = Tally()
    let context = unsafe Unmanaged.passUnretained(tally).toOpaque()
    let queue = WorkQueue(label: "functions")
    unsafe queue.asyncAfter(deadline: .now() - .seconds(1), context: context, function: count)
    queue.sync { #expect(tally.value == 1) }
    unsafe queue.asyncAfter(wallDeadline: .now() - .seconds(1), context: context, function: count)
    queue.sync { #expect(tally.value == 2) }
    unsafe queue.asyncAfter(deadline: .distantFuture, context: context, function: count)
    unsafe queue.asyncAfter(wallDeadline: .distantFuture, context: context, function: count)
    queue.sync { #expect(tally.value == 2) }
    let told = CountingSemaphore(value: 0)
    let toldContext = unsafe Unmanaged.passUnretained(told).toOpaque()
    let deadline = Deadline.now() + .milliseconds(2)
    unsafe queue.asyncAfter(deadline: deadline, context: toldContext, function: signal)
    told.wait()
    #expect(Deadline.now() >= deadline)
    let wallDeadline = WallDeadline.now() + .milliseconds(2)
    unsafe queue.asyncAfter(wallDeadline: wallDeadline, context: toldContext, function: signal)
    told.wait()
    #expect(WallDeadline.now() >= wallDeadline)
  }

  @Test("A finalizer runs after the work of the queue")
  func aFinalizerRunsAfterTheQueuesWork() {
    let log = EventLog()
    let target = WorkQueue(label: "target")
    target.suspend()
    do {
      let queue = WorkQueue(label: "finalized", target: target)
      unsafe queue.context = unsafe Unmanaged.passUnretained(log).toOpaque()
      unsafe queue.setFinalizer { context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<EventLog>.fromOpaque(context).takeUnretainedValue().note("finalizer")
      }
      for number in 0..<3 { queue.async { log.note("\(number)") } }
    }
    target.resume()
    // The drain lets go of the queue, which submits the finalizer behind this.
    target.sync {}
    target.sync {}
    #expect(log.events == ["0", "1", "2", "finalizer"])
  }

  @Test("The finalizer of a queue runs on its target with the context")
  func aQueuesFinalizerRunsOnItsTargetWithTheContext() {
    let tally = Tally()
    let target = WorkQueue(label: "target")
    do {
      let queue = WorkQueue(label: "finalized", target: target)
      unsafe queue.context = unsafe Unmanaged.passUnretained(tally).toOpaque()
      unsafe queue.setFinalizer { context in
        WorkQueue.precondition(.onQueueAsBarrier(shared.withLock { $0 }))
        unsafe count(context)
      }
      shared.withLock { $0 = target }
      queue.sync {}
      #expect(tally.value == 0)
    }
    target.sync {}
    #expect(tally.value == 1)
  }

  @Test("Without a context no finalizer runs")
  func withoutContextThereIsNothingToDisposeOf() {
    let target = WorkQueue(label: "target")
    do {
      let queue = WorkQueue(label: "plain", target: target)
      unsafe queue.setFinalizer { _ in fatalError("A finalizer needs a context.") }
    }
    target.sync {}
  }

  @Test("The finalizer of a group runs once")
  func aGroupsFinalizerRunsOnce() {
    let told = CountingSemaphore(value: 0)
    do {
      let group = WorkGroup()
      unsafe group.context = unsafe Unmanaged.passUnretained(told).toOpaque()
      unsafe #expect(group.context == Unmanaged.passUnretained(told).toOpaque())
      unsafe group.setFinalizer(signal)
    }
    told.wait()
  }
}

private let shared = Mutex(WorkQueue.global())

private final class Tally: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .relaxed) }

  func add() { count.add(1, ordering: .relaxed) }
}

private func count(_ context: UnsafeMutableRawPointer?) {
  guard let context = unsafe context else { return }
  unsafe Unmanaged<Tally>.fromOpaque(context).takeUnretainedValue().add()
}

private func signal(_ context: UnsafeMutableRawPointer?) {
  guard let context = unsafe context else { return }
  unsafe Unmanaged<CountingSemaphore>.fromOpaque(context).takeUnretainedValue().signal()
}
