// Makes engines of its own and forks, or lets them end: that concerns the whole process.
//
// A way that works ends with status 0 and the line "done". The first argument names the way, the
// second one the file to read from, whose bytes are the low ones of their offsets.

import CIOChannelsTestSupport
import Glibc
import QueueRuntime
import IOChannelsEngine
import IOChannelsSystem

private let ways: [String: (BorrowedDescriptor) throws -> Void] = [
  "fork": fork,
  "forkBeforeUse": forkBeforeUse,
  "forkAndQueue": forkAndQueue,
  "forkAndBusyQueue": forkAndBusyQueue,
  "forkAndLetGo": forkAndLetGo,
  "forkAndMainQueue": forkAndMainQueue,
  "forkAndBackground": forkAndBackground,
  "forkAndTimer": forkAndTimer,
  "forkAndThreads": forkAndThreads,
  "end": end,
]

/// The parent goes on reading while children fail, live on and end.
private func fork(_ file: BorrowedDescriptor) throws {
  for setting in ["uring", "threads"] {
    let engine = Engine(setting: setting, routing: .ring)
    let caller = Caller()
    check(caller.byte(at: 7, of: file, by: engine) == 7)
    if setting == "uring" { check(try childrenGetNoRing()) }
    var children: [Int32] = []
    for offset in 0..<1000 {
      if offset % 100 == 0 {
        let child = ct_fork()
        if child == 0 {
          caller.submit(.status(nil, following: false), of: file, to: engine)
          // The rest of its life it holds the descriptor of the ring.
          let isRefused = caller.answer() == .failure(.ownerDied) && !engine.belongsToThisProcess
          if offset < 500 { pause() }
          _exit(isRefused ? 7 : 1)
        }
        check(child > 0)
        children.append(child)
      }
      check(caller.byte(at: offset, of: file, by: engine) == UInt8(truncatingIfNeeded: offset))
    }
    for (index, child) in children.enumerated() {
      if index < 5 { check(kill(child, SIGKILL) == 0) }
      let end = ct_wait(child, 60_000)
      check(index < 5 ? end.signal == SIGKILL : end.exit_status == 7)
    }
    check(caller.byte(at: 9, of: file, by: engine) == 9)
  }
}

/// A child whose parent has no engine makes its own.
private func forkBeforeUse(_ file: BorrowedDescriptor) throws {
  inChild(status: 7) {
    let engine = Engine(setting: nil, routing: .table)
    let caller = Caller()
    check(caller.byte(at: 200, of: file, by: engine) == 200)
    let ringEngine = Engine(setting: nil, routing: .ring)
    check(caller.byte(at: 100, of: file, by: ringEngine) == 100)
  }
}

/// A child that uses the queues of its parent is told so.
private func forkAndQueue(_ file: BorrowedDescriptor) throws {
  WorkQueue.global().sync {}
  WorkQueue.global().asyncAndWait {}
  let used = WorkGroup()
  WorkQueue.global().async(group: used) {}
  used.wait()
  inChild(status: nil) { WorkQueue.global().async {} }
}

/// So is one that uses a queue which a thread of the parent had at the fork.
private func forkAndBusyQueue(_ file: BorrowedDescriptor) throws {
  let queue = WorkQueue(label: "busy")
  let (hasBegun, mayEnd) = (CountingSemaphore(value: 0), CountingSemaphore(value: 0))
  queue.async {
    hasBegun.signal()
    mayEnd.wait()
  }
  hasBegun.wait()
  inChild(status: nil) { queue.async {} }
  inChild(status: nil) { queue.sync {} }
  mayEnd.signal()
  queue.sync {}
}

/// A child may let go of what its parent made, whatever that keeps.
private func forkAndLetGo(_ file: BorrowedDescriptor) throws {
  var queue: WorkQueue? = WorkQueue(label: "kept")
  queue?.setSpecific(key: QueueKey<Int>(), value: 1)
  queue?.sync {}
  inChild(status: 7) { queue = nil }
  check(queue != nil)
}

/// A child that uses the main queue does not disturb that of its parent.
private func forkAndMainQueue(_ file: BorrowedDescriptor) throws {
  let bell = BorrowedDescriptor(rawValue: try WorkQueue.mainDescriptor())
  check(!bell.isReadable)
  inChild(status: nil) { WorkQueue.main.async {} }
  check(!bell.isReadable)
  WorkQueue.main.async {}
  check(bell.isReadable)
  inChild(status: nil) { WorkQueue.drainMain() }
  inChild(status: nil) { WorkQueue.main.async {} }
  check(bell.isReadable)
}

/// A child whose parent had lowered threads starts its own.
private func forkAndBackground(_ file: BorrowedDescriptor) throws {
  let used = WorkGroup()
  WorkQueue.global(qos: .background).async(group: used) {}
  used.wait()
  inChild(status: 7) {
    let pool = WorkerPool(name: "child", width: 1, maximumThreadCount: 4)
    let (low, usual) = (
      WorkQueue(label: "low", qos: .background, pool: pool), WorkQueue(label: "usual", pool: pool)
    )
    let hasRun = CountingSemaphore(value: 0)
    low.async { usual.async { hasRun.signal() } }
    check(hasRun.wait(timeout: .now() + .seconds(30)) == .success)
  }
}

/// So is a child that uses its timers, which would never fire.
private func forkAndTimer(_ file: BorrowedDescriptor) throws {
  // The wait is long, as a deadline that has passed needs no timer.
  WorkQueue.global().asyncAfter(deadline: .now() + .seconds(3600)) {}
  inChild(status: nil) {
    WorkQueue.global().asyncAfter(deadline: .now() + .seconds(3600)) {}
  }
}

/// So is a child that makes an engine where its parent had one: all use one pool.
private func forkAndThreads(_ file: BorrowedDescriptor) throws {
  check(Caller().byte(at: 7, of: file, by: Engine(setting: "threads")) == 7)
  inChild(status: nil) {
    _ = Caller().byte(at: 7, of: file, by: Engine(setting: "threads"))
  }
}

/// Runs a closure in a child, which has to end with a status, or by a signal of its own.
private func inChild(status: Int32?, _ body: () -> Void) {
  let child = ct_fork()
  if child == 0 {
    body()
    _exit(status ?? 0)
  }
  check(child > 0)
  let end = ct_wait(child, 60_000)
  check(end.error == 0)
  if let status { check(end.exit_status == status) } else { check(end.signal != 0) }
}

private let words = CommandLine.arguments
guard words.count == 3, let way = ways[words[1]] else { stop(saying: "engines WAY FILE") }
private let file = try BorrowedDescriptor.workingDirectory.open(BytePath(words[2]), .readOnly)
try way(file.borrowed)
print("done")
