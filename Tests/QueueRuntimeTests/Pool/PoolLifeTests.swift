import Synchronization
import IOChannelsSystem
import Testing

@testable import QueueRuntime

@Suite("Life of a pool")
struct PoolLifeTests {
  /// Leaves a group when it is freed.
  private final class Witness: Sendable {
    let freed: WorkGroup

    init(_ freed: WorkGroup) {
      self.freed = freed
      freed.enter()
    }

    deinit { freed.leave() }
  }

  /// A pool whose threads keep the group entered, and all of whose memory does.
  private func pool(_ group: WorkGroup, width: Int = 2, maximum: Int = 4) -> WorkerPool {
    let witness = Witness(group)
    let configuration = WorkerGroupConfiguration(startThread: { name, body throws(SystemError) in
      group.enter()
      try PlatformThread.start(name: name) {
        body()
        withExtendedLifetime(witness) { group.leave() }
      }
    })
    return WorkerPool(
      name: "life",
      width: width,
      maximumThreadCount: maximum,
      configuration: configuration
    )
  }

  @Test("The release of a pool ends its threads and frees its memory (S101)")
  func aPoolThatIsLetGoOfEnds() {
    for round in 0..<50 {
      let group = WorkGroup()
      weak var weakPool: WorkerPool?
      do {
        let pool = pool(group)
        weakPool = pool
        let done = WorkGroup()
        for qos in WorkQueue.QoS.QoSClass.allCases.dropFirst(round % 5) {
          done.enter()
          pool.submit(qos: qos) { done.leave() }
        }
        done.wait()
      }
      #expect(weakPool == nil)
      // The idle time is far longer than this test may take.
      group.wait()
    }
  }

  @Test("Jobs that wait in a pool that is released still run (S101)")
  func waitingJobsOutliveThePool() {
    for width in [1, 2] {
      let group = WorkGroup()
      let gate = WorkGroup()
      let count = Atomic<Int>(0)
      gate.enter()
      do {
        let pool = pool(group, width: width, maximum: width + 3)
        // More blocked jobs than may be active, so that the watcher is there too.
        for _ in 0..<width + 6 {
          pool.submit {
            gate.wait()
            count.add(1, ordering: .relaxed)
          }
        }
      }
      gate.leave()
      group.wait()
      #expect(count.load(ordering: .relaxed) == width + 6)
    }
  }

  @Test("A job may release the last reference to its pool (S101)")
  func theLastReferenceGoesInAJob() {
    let group = WorkGroup()
    let done = WorkGroup()
    done.enter()
    do {
      let pool = pool(group)
      pool.submit { withExtendedLifetime(pool) { done.leave() } }
    }
    done.wait()
    group.wait()
  }

  @Test("A pool that was never used is freed")
  func aPoolThatWasNeverUsedIsFreed() {
    let group = WorkGroup()
    _ = pool(group)
    group.wait()
  }

  @Test("A description has the state and the counts of a pool")
  func tellsWhatItHasAndDid() {
    let pool = WorkerPool(name: "tells", width: 1, maximumThreadCount: 3)
    #expect(pool.statistics() == WorkerPool.Statistics())
    #expect(pool.debugDescription == "WorkerPool(tells)")
    let gate = WorkGroup()
    let started = WorkGroup()
    let done = WorkGroup()
    gate.enter()
    started.enter()
    done.enter()
    pool.submit(qos: .background) {
      started.leave()
      gate.wait()
      done.leave()
    }
    started.wait()
    let statistics = pool.statistics()
    #expect(statistics.threadCount == 1 && statistics.idleThreadCount == 0)
    #expect(statistics.submittedJobCount == 1 && statistics.waitingJobCount == 0)
    #expect(statistics.threadStartCount == 1 && statistics.failedThreadStartCount == 0)
    #expect(
      pool.debugDescription
        == "WorkerPool(tells; background: 1 of 3 threads, 0 idle, 0 waiting)"
    )
    gate.leave()
    done.wait()
  }
}
