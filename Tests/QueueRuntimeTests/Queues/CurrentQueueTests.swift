import QueueRuntime
import IOChannelsSystem
import Testing

@Suite("The current queue (S79, S80)")
struct CurrentQueueTests {
  private let target = WorkQueue(label: "target")

  @Test("The current queue is the innermost")
  func theCurrentQueueIsTheInnermost() {
    let outer = WorkQueue(label: "outer", target: target)
    let inner = WorkQueue(label: "inner", attributes: .concurrent)
    #expect(WorkQueue.currentLabel == "global.default")
    outer.sync {
      #expect(WorkQueue.current === outer)
      inner.sync { #expect(WorkQueue.current === inner) }
      inner.sync(flags: .barrier) { #expect(WorkQueue.currentLabel == "inner") }
      #expect(WorkQueue.currentLabel == "outer")
    }
    let all = WorkGroup()
    outer.async(group: all) { #expect(WorkQueue.current === outer) }
    WorkQueue.global(qos: .utility).async(group: all) {
      #expect(WorkQueue.current === WorkQueue.global(qos: .utility))
    }
    all.wait()
  }

  @Test("A thread is on its queues, their targets and the queues before")
  func aThreadIsOnItsQueuesAndTheirTargetsAndThoseBefore() {
    let middle = WorkQueue(label: "middle", attributes: .concurrent, target: target)
    let queue = WorkQueue(label: "queue", target: middle)
    let other = WorkQueue(label: "other")
    let (target, all) = (target, WorkGroup())
    @Sendable func check() {
      WorkQueue.precondition(.onQueue(queue))
      WorkQueue.precondition(.onQueueAsBarrier(queue))
      WorkQueue.precondition(.onQueue(middle))
      WorkQueue.precondition(.onQueue(target))
      WorkQueue.precondition(.onQueueAsBarrier(target))
      WorkQueue.precondition(.notOnQueue(other))
    }
    WorkQueue.precondition(.notOnQueue(queue))
    queue.sync { check() }
    queue.async(group: all) { check() }
    all.wait()
    other.sync {
      queue.sync {
        WorkQueue.precondition(.onQueue(other))
        WorkQueue.precondition(.onQueue(middle))
      }
      WorkQueue.precondition(.notOnQueue(queue))
    }
    middle.sync { WorkQueue.precondition(.notOnQueue(queue)) }
    middle.async(group: all, flags: .barrier) { WorkQueue.precondition(.onQueueAsBarrier(middle)) }
    all.wait()
    WorkQueue.precondition(.notOnQueue(target))
  }

  @Test("Work that another thread waits for is on the queues of that thread")
  func whatRunsElsewhereIsOnTheQueuesOfTheOneWhoWaits() {
    let outer = WorkQueue(label: "outer")
    let queue = WorkQueue(label: "queue")
    let thread = PlatformThread.currentToken
    var other = thread
    // The queue may be idle again before this thread comes, which is rare.
    for _ in 0..<10_000 where other == thread {
      outer.sync {
        queue.suspend()
        WorkQueue.global().async { queue.resume() }
        queue.asyncAndWait {
          WorkQueue.precondition(.onQueueAsBarrier(queue))
          WorkQueue.precondition(.onQueueAsBarrier(outer))
          #expect(WorkQueue.current === queue)
          other = PlatformThread.currentToken
        }
      }
    }
    #expect(other != thread)
    queue.sync { WorkQueue.precondition(.notOnQueue(outer)) }
  }

  @Test("Work of queues without target is work of their global queue")
  func workOfQueuesWithoutTargetIsWorkOfTheirGlobalQueue() {
    let queue = WorkQueue(label: "queue", qos: .utility)
    queue.sync {
      WorkQueue.precondition(.onQueue(.global(qos: .utility)))
      WorkQueue.precondition(.notOnQueue(.global(qos: .userInitiated)))
    }
    WorkQueue.precondition(.notOnQueue(.global()))
  }

  @Test("Values are found through the targets of the current queue only")
  func valuesAreFoundThroughTheTargetsOfTheCurrentQueueOnly() {
    let key = QueueKey<Int>()
    let other = QueueKey<Int>()
    let queue = WorkQueue(label: "queue", target: target)
    let outer = WorkQueue(label: "outer")
    outer.setSpecific(key: key, value: 1)
    target.setSpecific(key: key, value: 2)
    #expect(queue.sync { WorkQueue.getSpecific(key: key) } == 2)
    queue.setSpecific(key: key, value: 3)
    #expect(queue.sync { WorkQueue.getSpecific(key: key) } == 3)
    #expect(queue.getSpecific(key: other) == nil)
    queue.setSpecific(key: key, value: nil)
    #expect(queue.getSpecific(key: key) == nil)
    outer.sync {
      #expect(queue.sync { WorkQueue.getSpecific(key: key) } == 2)
      #expect(WorkQueue(label: "alone").sync { WorkQueue.getSpecific(key: key) } == nil)
      #expect(WorkQueue.getSpecific(key: key) == 1)
    }
    #expect(WorkQueue.getSpecific(key: key) == nil)
  }
}
