import Foundation
import IOChannelsLocks
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("Worker groups")
struct WorkerGroupTests {
  /// What a job sees of its thread.
  private struct Sight: Equatable, Sendable {
    var name: String
    var place: ThreadPlace

    static var current: Sight {
      Sight(name: currentThreadName, place: .current)
    }
  }

  private func sight(from pool: WorkerPool, _ qos: WorkQueue.QoS.QoSClass) -> Sight? {
    let seen = BargingLock<Sight?>(nil)
    let group = WorkGroup()
    group.enter()
    pool.submit(qos: qos) {
      let sight = Sight.current
      seen.withLock { $0 = sight }
      group.leave()
    }
    group.wait()
    return seen.withLock { $0 }
  }

  @Test("The classes have threads of their own, with other priorities (S98, S99)")
  func eachGroupHasItsPriority() throws {
    let base = ThreadPlace.current
    let pool = WorkerPool(name: "place", width: 1, maximumThreadCount: 1)
    for qos in WorkQueue.QoS.QoSClass.allCases {
      let (name, steps): (String, Int32) =
        switch qos {
        case .background: ("place-bg-0", 15)
        case .utility: ("place-utility-0", 2)
        case .unspecified, .default: ("place-0", 0)
        case .userInitiated, .userInteractive: ("place-high-0", -2)
        }
      let sight = try #require(self.sight(from: pool, qos))
      #expect(sight.name == name)
      #expect(sight.place.yieldsDisks == (qos == .background || base.yieldsDisks))
      let nice = max(-20, min(19, base.nice + steps))
      // Only a privilege permits a lower value.
      #expect(sight.place.nice == nice || steps < 0 && sight.place.nice == base.nice)
    }
    #expect(pool.threadCount == 4)
  }

  @Test(
    "A thread that work of another class causes to start has its own priority (S99)",
    arguments: [.background, .userInitiated] as [WorkQueue.QoS.QoSClass]
  )
  func placesAreNotInherited(starter: WorkQueue.QoS.QoSClass) {
    let base = ThreadPlace.current
    let pool = WorkerPool(name: "heir", width: 1, maximumThreadCount: 1)
    let group = WorkGroup()
    let seen = BargingLock<Sight?>(nil)
    group.enter()
    pool.submit(qos: starter) {
      pool.submit {
        let sight = Sight.current
        seen.withLock { $0 = sight }
        group.leave()
      }
    }
    group.wait()
    #expect(seen.withLock { $0 } == Sight(name: "heir-0", place: base))
  }

  @Test("Waiting jobs are counted in their group only")
  func waitingJobsShowInTheirGroupOnly() {
    let pool = WorkerPool(name: "waits", width: 1, maximumThreadCount: 1)
    #expect(!pool.hasWaitingJobs && !pool.hasWaitingJobs(qos: .background))
    let gate = WorkGroup()
    let started = WorkGroup()
    let done = WorkGroup()
    gate.enter()
    started.enter()
    for number in 0..<2 {
      done.enter()
      pool.submit(qos: .utility) {
        if number == 0 {
          started.leave()
          gate.wait()
        }
        done.leave()
      }
    }
    started.wait()
    #expect(pool.hasWaitingJobs(qos: .utility))
    #expect(!pool.hasWaitingJobs && !pool.hasWaitingJobs(qos: .background))
    #expect(pool.statistics().waitingJobCount == 1)
    gate.leave()
    done.wait()
    #expect(!pool.hasWaitingJobs(qos: .utility))
  }

  @Test("Names of threads keep the number and fit the kernel's limit")
  func namesKeepTheNumberAndFitTheKernel() {
    func name(_ kind: WorkerGroupKind, _ pool: String, _ worker: Int) -> String {
      kind.threadName(pool: pool, worker: worker)
    }
    #expect(name(.normal, "queue", 254) == "queue-254")
    #expect(name(.utility, "queue", 0) == "queue-utility-0")
    #expect(name(.utility, "queue", 63) == "queu-utility-63")
    #expect(name(.background, "queue", 63) == "queue-bg-63")
    #expect(name(.high, "queue", 254) == "queue-high-254")
    #expect(name(.normal, "a-rather-long-name", 4095) == "a-rather-l-4095")
    #expect(name(.background, "ééééé", 10) == "éééé-bg-10")
    #expect(name(.normal, "", 1) == "-1")
  }
}
