import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("Queues on a pool of the program")
struct PoolQueueTests {
  private let pool = WorkerPool(name: "own", width: 2, maximumThreadCount: 2)

  @Test("Work runs on the threads of the pool", arguments: [WorkQueue.Attributes(), .concurrent])
  func workRunsOnThePoolsThreads(attributes: WorkQueue.Attributes) {
    let queue = WorkQueue(label: "queue", attributes: attributes, pool: pool)
    let child = WorkQueue(label: "child", attributes: attributes, target: queue)
    let log = EventLog()
    let group = WorkGroup()
    for _ in 0..<50 {
      for queue in [queue, child] {
        queue.async(group: group) { log.note(currentThreadName) }
      }
    }
    group.wait()
    #expect(log.events.count == 100)
    #expect(Set(log.events).isSubset(of: ["own-0", "own-1"]))
    #expect(pool.statistics().submittedJobCount > 0)
  }

  @Test("The threads of the pool share a loop")
  func aLoopIsSharedByThePoolsThreads() {
    let queue = WorkQueue(label: "queue", attributes: .concurrent, pool: pool)
    let owner = PlatformThread.currentNumber
    let strangers = EventLog()
    queue.concurrentPerform(iterations: 1000) { _ in
      if PlatformThread.currentNumber != owner { strangers.note(currentThreadName) }
    }
    #expect(Set(strangers.events).isSubset(of: ["own-0", "own-1"]))
  }

  @Test("A queue keeps its pool")
  func aQueueKeepsItsPool() {
    let queue = WorkQueue(
      label: "queue",
      pool: WorkerPool(name: "kept", width: 1, maximumThreadCount: 1)
    )
    let group = WorkGroup()
    let log = EventLog()
    queue.async(group: group) { log.note(currentThreadName) }
    group.wait()
    #expect(log.events == ["kept-0"])
  }

  @Test("The description of a pool has its counts")
  func thePoolTellsWhatItHas() {
    let pool = WorkerPool(name: "told", width: 1, maximumThreadCount: 1)
    #expect(pool.debugDescription == "WorkerPool(told)")
    let queues = (0..<3).map { WorkQueue(label: "\($0)", pool: pool) }
    let begun = WorkGroup()
    begun.enter()
    let end = WorkGroup()
    end.enter()
    let all = WorkGroup()
    queues[0].async(group: all) {
      begun.leave()
      end.wait()
    }
    begun.wait()
    for queue in queues[1...] { queue.async(group: all) {} }
    let background = WorkQueue(label: "last", qos: .background, pool: pool)
    background.suspend()
    background.async(group: all) {}
    let text = "WorkerPool(told; normal: 1 of 1 threads, 0 idle, 2 waiting)"
    #expect(pool.debugDescription == text)
    let statistics = pool.statistics()
    #expect(statistics.threadCount == 1 && statistics.idleThreadCount == 0)
    #expect(statistics.waitingJobCount == 2 && statistics.submittedJobCount == 3)
    #expect(statistics.threadStartCount == 1 && statistics.failedThreadStartCount == 0)
    background.resume()
    end.leave()
    all.wait()
    #expect(pool.debugDescription.contains("; background: 1 of 1 threads"))
  }
}
