// Uses the main queue in an `async` main function, in one of several ways.
//
// A way that works ends with status 0 and the line "done". The main function has been suspended
// once when it begins: on Linux, Dispatch's main queue has left the main thread then.

import Glibc
import IOChannelsSystem
import QueueRuntime

@main
struct AsyncMain {
  @MainActor static func main() async {
    await Task.yield()
    switch CommandLine.arguments.dropFirst().first {
    case "async": await awaitWork()
    case "sync": await awaitThreads()
    case "drain": drain()
    case "syncOnMain": WorkQueue.main.sync {}
    case "runMain": run()
    default: fatalError("no such way")
    }
    print("done")
    exit(0)
  }

  /// The main function and the work of the main queue run as the same queue.
  @MainActor private static func awaitWork() async {
    let key = QueueKey<Int>()
    WorkQueue.main.setSpecific(key: key, value: 5)
    for _ in 0..<100 {
      check(WorkQueue.current === WorkQueue.main)
      check(WorkQueue.getSpecific(key: key) == 5)
      WorkQueue.precondition(.onQueueAsBarrier(.main))
      await withCheckedContinuation { answer in
        WorkQueue.main.async {
          check(WorkQueue.current === WorkQueue.main)
          MainActor.assumeIsolated {}
          answer.resume()
        }
      }
    }
  }

  /// Other threads wait for work of the queue, and of one that targets it.
  @MainActor private static func awaitThreads() async {
    let child = WorkQueue(label: "child", target: .main)
    let all = WorkGroup()
    for _ in 0..<4 {
      WorkQueue.global().async(group: all) {
        check(WorkQueue.current !== WorkQueue.main)
        for _ in 0..<100 {
          WorkQueue.main.sync { WorkQueue.precondition(.onQueueAsBarrier(.main)) }
          child.sync { WorkQueue.precondition(.onQueueAsBarrier(.main)) }
        }
      }
    }
    // Nothing cancels the main task.
    try? await all.completion()
  }

  /// The work runs in the call, although the main thread does not call.
  @MainActor private static func drain() {
    check(!PlatformThread.isMain)
    let group = WorkGroup()
    WorkQueue.main.async(group: group) {}
    WorkQueue.drainMain()
    check(group.wait(timeout: .now()) == .success)
  }

  /// The compiler refuses the call in the task itself (S170).
  @MainActor private static func run() { WorkQueue.runMain() }
}

private func check(_ condition: Bool, _ line: Int = #line) {
  precondition(condition, "line \(line)")
}
