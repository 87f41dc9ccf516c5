// Uses the main queue beside Foundation and Dispatch, in one of several ways.
//
// A way that works ends with status 0 and the line "done".

import Dispatch
import Foundation
import IOChannelsSystem
import QueueRuntime
import Synchronization

private let ways: [String: () -> Void] = [
  "runLoop": {
    useBothQueues(isOnMainThread: true)
    RunLoop.main.run()
  },
  "runMain": {
    useBothQueues(isOnMainThread: true)
    WorkQueue.runMain()
  },
  "dispatchMain": {
    useBothQueues(isOnMainThread: false)
    dispatchMain()
  },
  "runMainInWork": {
    DispatchQueue.main.async { WorkQueue.runMain() }
    RunLoop.main.run()
  },
]

private func check(_ condition: Bool, _ line: Int = #line) {
  precondition(condition, "line \(line)")
}

private let count = Atomic<Int>(0)

/// Threads wait for work of both main queues, which count as the same one.
private func useBothQueues(isOnMainThread: Bool) {
  let all = WorkGroup()
  for _ in 0..<4 {
    WorkQueue.global().async(group: all) {
      for _ in 0..<100 {
        WorkQueue.main.sync {
          check(PlatformThread.isMain == isOnMainThread)
          WorkQueue.precondition(.onQueueAsBarrier(.main))
          count.add(1, ordering: .relaxed)
        }
        DispatchQueue.main.sync { WorkQueue.precondition(.onQueueAsBarrier(.main)) }
      }
    }
  }
  all.notify(queue: .main) {
    check(WorkQueue.current === WorkQueue.main)
    check(count.load(ordering: .relaxed) == 400)
    print("done")
    exit(0)
  }
}

private let way = CommandLine.arguments.dropFirst().first ?? ""
guard let chosen = ways[way] else { fatalError("no way \(way)") }
chosen()
