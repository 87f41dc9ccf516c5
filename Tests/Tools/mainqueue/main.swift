// Uses the main queue in one of several ways: tests do not run on the main thread.
//
// A way that works ends with status 0 and the line "done". With the second argument `own` the
// program behaves as if the process did not contain libdispatch.

import Glibc
import QueueRuntime
import IOChannelsSystem

private let ways: [String: () -> Void] = [
  "run": run,
  "sync": syncFromOtherThreads,
  "target": targetMain,
  "drain": drain,
  "drainOnce": drainLeavesWhatComesMeanwhile,
  "poll": pollTheDescriptor,
  "leeway": waitForCompany,
  "lone": fireAlone,
  "threadless": workWithoutThreads,
  "current": lookAround,
  "isolated": isolate,
  "syncOnMain": { WorkQueue.main.sync {} },
  "asyncAndWaitOnMain": { WorkQueue.main.asyncAndWait {} },
  "syncOnChild": { WorkQueue(label: "child", target: .main).sync {} },
  "syncOnBusyChild": {
    let child = WorkQueue(label: "child", target: .main)
    child.async {}
    child.sync {}
  },
  "runInTask": {
    // The compiler refuses the call in the task itself (S170).
    func run() { WorkQueue.runMain() }
    Task.immediate { run() }
  },
  "actorAfterRun": {
    WorkQueue.global().async { Task { @MainActor in doneOnMain() } }
    WorkQueue.runMain()
  },
  "actorBeforeRun": {
    Task { @MainActor in doneOnMain() }
    WorkQueue.runMain()
  },
  "actorAlternates": alternateWithTheActor,
  "syncFromActor": {
    Task { @MainActor in WorkQueue.main.sync {} }
    WorkQueue.runMain()
  },
  "runOnWorker": {
    WorkQueue.global().async { WorkQueue.runMain() }
    WorkQueue.runMain()
  },
  "drainOnWorker": {
    WorkQueue.global().async { WorkQueue.drainMain() }
    WorkQueue.runMain()
  },
  "drainInWork": {
    WorkQueue.main.async { WorkQueue.drainMain() }
    WorkQueue.runMain()
  },
  "syncAround": {
    // The main thread waits for the queue whose closure waits for it.
    let queue = WorkQueue(label: "around")
    queue.async { WorkQueue.main.sync { queue.sync {} } }
    WorkQueue.runMain()
  },
]

private func done() -> Never {
  print("done")
  exit(0)
}

private func doneOnMain() -> Never {
  check(PlatformThread.isMain)
  done()
}

private func isReadable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return unsafe poll(&entry, 1, milliseconds) == 1
}

private func check(_ condition: Bool, _ line: Int = #line) {
  precondition(condition, "line \(line)")
}

/// Counts on the main queue only.
nonisolated(unsafe) private var count = 0

private func run() {
  for _ in 0..<4 {
    WorkQueue.global().async {
      for _ in 0..<1000 {
        WorkQueue.main.async {
          check(PlatformThread.isMain)
          unsafe count += 1
          if unsafe count == 4000 { done() }
        }
      }
    }
  }
  WorkQueue.runMain()
}

/// The main actor and the main queue share the main thread, although the queue is never empty.
private func alternateWithTheActor() {
  @Sendable func again() { WorkQueue.main.async { again() } }
  again()
  Task { @MainActor in
    for _ in 0..<100 {
      await Task.yield()
      check(PlatformThread.isMain)
      check(WorkQueue.current === WorkQueue.main)
      let isMain = await withCheckedContinuation { answer in
        WorkQueue.main.async {
          MainActor.assumeIsolated {}
          answer.resume(returning: PlatformThread.isMain)
        }
      }
      check(isMain)
    }
    doneOnMain()
  }
  WorkQueue.runMain()
}

private func syncFromOtherThreads() {
  let all = WorkGroup()
  for _ in 0..<4 {
    WorkQueue.global().async(group: all) {
      for _ in 0..<250 {
        WorkQueue.main.sync {
          check(PlatformThread.isMain)
          unsafe count += 1
        }
        check(WorkQueue.main.asyncAndWait { WorkQueue.current === WorkQueue.main })
      }
    }
  }
  all.notify(queue: .main) {
    check(unsafe count == 1000)
    done()
  }
  WorkQueue.runMain()
}

private func targetMain() {
  let queue = WorkQueue(label: "child", target: .main)
  let late = WorkQueue(label: "late", attributes: .concurrent)
  let all = WorkGroup()
  late.setTarget(queue: .main)
  WorkQueue.global().async(group: all) {
    for _ in 0..<200 {
      queue.async(group: all) { check(PlatformThread.isMain) }
      late.async(group: all) { check(PlatformThread.isMain) }
      queue.sync { check(PlatformThread.isMain && WorkQueue.current === queue) }
      late.sync(flags: .barrier) { check(PlatformThread.isMain) }
      queue.asyncAndWait { WorkQueue.precondition(.onQueue(.main)) }
    }
  }
  all.notify(queue: queue) { done() }
  WorkQueue.runMain()
}

private func drain() {
  for _ in 0..<1000 { WorkQueue.main.async { unsafe count += 1 } }
  check(unsafe count == 0)
  // Whatever the pool does, all that waits is run.
  for _ in 0..<100 { WorkQueue.global().async {} }
  WorkQueue.drainMain()
  check(unsafe count == 1000)
  WorkQueue.drainMain()
  done()
}

private func drainLeavesWhatComesMeanwhile() {
  @Sendable func again() {
    unsafe count += 1
    WorkQueue.main.async { again() }
  }
  WorkQueue.main.async { again() }
  for round in 1...5 {
    WorkQueue.drainMain()
    check(unsafe count == round)
  }
  done()
}

private func pollTheDescriptor() {
  guard let descriptor = try? WorkQueue.mainDescriptor() else { fatalError("no descriptor") }
  check((try? WorkQueue.mainDescriptor()) == descriptor)
  check(!isReadable(descriptor, milliseconds: 0))
  WorkQueue.main.async { unsafe count += 1 }
  check(isReadable(descriptor, milliseconds: 0))
  WorkQueue.drainMain()
  check(unsafe count == 1)
  check(!isReadable(descriptor, milliseconds: 0))
  WorkQueue.global().async {
    for _ in 0..<1000 { WorkQueue.main.sync { unsafe count += 1 } }
  }
  while unsafe count < 1001 {
    check(isReadable(descriptor, milliseconds: 60_000))
    WorkQueue.drainMain()
  }
  done()
}

private func lookAround() {
  let key = QueueKey<Int>()
  WorkQueue.main.setSpecific(key: key, value: 5)
  check(WorkQueue.current === WorkQueue.main)
  check(WorkQueue.getSpecific(key: key) == 5)
  WorkQueue.precondition(.onQueueAsBarrier(.main))
  WorkQueue.precondition(.notOnQueue(.global()))
  WorkQueue(label: "other").sync { check(WorkQueue.getSpecific(key: key) == nil) }
  WorkQueue.main.async {
    WorkQueue.precondition(.notOnQueue(.global()))
    check(WorkQueue.currentLabel == "main")
    done()
  }
  WorkQueue.runMain()
}

/// The first timer could fire long before, but has time to wait for the second, the only other one.
private func waitForCompany() {
  // A thread of timers that has just begun looks at them at once.
  let begun = CountingSemaphore(value: 0)
  WorkQueue.global().asyncAfter(deadline: .now() + .milliseconds(1), leeway: .zero) {
    begun.signal()
  }
  begun.wait()
  let start = Deadline.now()
  WorkQueue.global().asyncAfter(deadline: start + .milliseconds(1_060), leeway: .zero) {}
  WorkQueue.main.asyncAfter(deadline: start + .milliseconds(1_000), leeway: .seconds(3600)) {
    check(Deadline.now() >= start + .milliseconds(1_060))
    done()
  }
  WorkQueue.runMain()
}

private func fireAlone() {
  WorkQueue.main.asyncAfter(deadline: .now() + .milliseconds(20), leeway: .seconds(3600)) {
    done()
  }
  WorkQueue.runMain()
}

/// Uses queues where no thread can be started: what is submitted has run when the call returns.
private func workWithoutThreads() {
  let group = WorkGroup()
  let serial = WorkQueue(label: "serial")
  let own = WorkQueue(label: "own", pool: WorkerPool(name: "own", width: 2, maximumThreadCount: 4))
  let classes: [WorkQueue.QoS.QoSClass] = [.background, .utility, .default, .userInteractive]
  for queue in [serial, own, WorkQueue(label: "beside", attributes: .concurrent)]
    + classes.map({ WorkQueue.global(qos: $0) })
  {
    for _ in 0..<100 { queue.async(group: group) { unsafe count += 1 } }
    group.wait()
  }
  check(unsafe count == 700)
  serial.async { serial.async { unsafe count += 1 } }
  check(serial.sync { unsafe count } == 701)
  WorkQueue.concurrentPerform(iterations: 10) { _ in unsafe count += 1 }
  check(unsafe count == 711)
  group.notify(queue: serial) { unsafe count += 1 }
  check(serial.asyncAndWait { unsafe count } == 712)
  let item = WorkItem { unsafe count += 1 }
  serial.async(execute: item)
  item.wait()
  // Nobody fires a timer, but arming one is no fault.
  serial.asyncAfter(deadline: .now() + .milliseconds(1)) {}
  WorkQueue.main.async { done() }
  WorkQueue.runMain()
}

private func isolate() {
  check(WorkQueue.main.isIsolatingCurrentContext() == true)
  WorkQueue.global().async {
    check(WorkQueue.main.isIsolatingCurrentContext() == false)
    done()
  }
  WorkQueue.runMain()
}

private let way = CommandLine.arguments.dropFirst().first ?? ""
if CommandLine.arguments.dropFirst(2).first == "own" { DispatchMainQueue.ignore() }
guard let chosen = ways[way] else { fatalError("no way \(way)") }
chosen()
