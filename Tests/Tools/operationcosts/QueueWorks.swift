import DataRegions
import QueueRuntime

/// What is done with queues, groups, timers and buffers.
enum QueueWorks {
  /// Counts in closures that run one after the other.
  private final class Counter: @unchecked Sendable {
    var value = 0
  }

  static var all: [Work] {
    [
      Work("closure to a serial queue", atMost: 1.1, 3, 0.1, 0.1) { count in
        let queue = WorkQueue(label: "costs")
        let counter = Counter()
        for _ in 0..<count { queue.async { counter.value += 1 } }
        queue.sync {}
      },
      Work("closure to a serial queue, 100,000 in it", atMost: 1.1, 3, 0.1, 0.1, count: 100_000) {
        count in
        let queue = WorkQueue(label: "costs")
        let counter = Counter()
        queue.suspend()
        for _ in 0..<count { queue.async { counter.value += 1 } }
        queue.resume()
        queue.sync {}
      },
      Work("closure to a concurrent queue", atMost: 1.1, 3, 0.1, 0.1) { count in
        let queue = WorkQueue(label: "costs", attributes: .concurrent)
        let counter = Counter()
        for _ in 0..<count { queue.async { _ = counter } }
        queue.sync(flags: .barrier) {}
      },
      Work("sync on a queue at rest", atMost: 0.01, 0.01, 0.01, 0.01) { count in
        let queue = WorkQueue(label: "costs")
        let counter = Counter()
        for _ in 0..<count { queue.sync { counter.value += 1 } }
      },
      Work("hop between two queues", atMost: 2.1, 10, 0.5, 1) { count in
        let sides = (WorkQueue(label: "ping"), WorkQueue(label: "pong"))
        let counter = Counter()
        let end = CountingSemaphore(value: 0)
        @Sendable func hop(isPing: Bool) {
          counter.value += 1
          if counter.value == count {
            end.signal()
          } else {
            (isPing ? sides.1 : sides.0).async { hop(isPing: !isPing) }
          }
        }
        sides.0.async { hop(isPing: true) }
        end.wait()
      },
      Work("enter and leave of a group", atMost: 0.01, 0.01, 0.01, 0.01) { count in
        let group = WorkGroup()
        for _ in 0..<count {
          group.enter()
          group.leave()
        }
      },
      Work("signal and wait of a semaphore", atMost: 0.01, 0.01, 0.01, 0.01) { count in
        let semaphore = CountingSemaphore(value: 0)
        for _ in 0..<count {
          semaphore.signal()
          semaphore.wait()
        }
      },
      Work("timer armed and cancelled", atMost: 1.1, 5.1, 0.1, 0.1) { count in
        let queue = WorkQueue(label: "costs")
        let start = Deadline.now() + .seconds(3600)
        for index in 0..<count {
          let item = WorkItem {}
          queue.asyncAfter(deadline: start + .milliseconds(index), execute: item)
          item.cancel()
        }
      },
      Work("append of a buffer of 64 bytes", atMost: 0.1, 3, 0.1, 0.1) { count in
        let piece = DataBuffer([UInt8](repeating: 7, count: 64))
        var whole = DataBuffer.empty
        for _ in 0..<count { whole.append(piece) }
      },
      Work("append of 64 bytes", atMost: 0.1, 5, 0.1, 0.1) { count in
        let bytes = [UInt8](repeating: 7, count: 64)
        var whole = DataBuffer.empty
        for _ in 0..<count { whole.append(contentsOf: bytes) }
      },
    ]
  }
}
