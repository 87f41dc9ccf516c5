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

  @Test("Utility and background have threads of their own, behind the others (S99)")
  func eachGroupHasItsPriority() {
    let base = ThreadPlace.current
    let pool = WorkerPool(name: "place", width: 1, maximumThreadCount: 1)
    for qos in WorkQueue.QoS.QoSClass.allCases {
      let (name, steps): (String, Int32) =
        switch qos {
        case .background: ("place-bg-0", 15)
        case .utility: ("place-utility-0", 2)
        default: ("place-0", 0)
        }
      let place = ThreadPlace(
        nice: min(19, base.nice + steps),
        yieldsDisks: qos == .background || base.yieldsDisks
      )
      #expect(sight(from: pool, qos) == Sight(name: name, place: place))
    }
    #expect(pool.threadCount == 3)
  }

  @Test("A thread that background work causes to start is not behind the others (S99)")
  func placesAreNotInherited() {
    let base = ThreadPlace.current
    let pool = WorkerPool(name: "heir", width: 1, maximumThreadCount: 1)
    let group = WorkGroup()
    let seen = BargingLock<Sight?>(nil)
    group.enter()
    pool.submit(qos: .background) {
      pool.submit {
        let sight = Sight.current
        seen.withLock { $0 = sight }
        group.leave()
      }
    }
    group.wait()
    #expect(seen.withLock { $0 } == Sight(name: "heir-0", place: base))
  }

  @Test("The more urgent of the waiting jobs runs first (S98)")
  func urgentJobsRunFirst() {
    let pool = WorkerPool(name: "order", width: 1, maximumThreadCount: 1)
    let gate = WorkGroup()
    let started = WorkGroup()
    let done = WorkGroup()
    let order = BargingLock<[WorkQueue.QoS.QoSClass]>([])
    gate.enter()
    started.enter()
    pool.submit {
      started.leave()
      gate.wait()
    }
    // An urgent job may only overtake those that have not begun.
    started.wait()
    for qos in [.default, .userInitiated, .userInteractive] as [WorkQueue.QoS.QoSClass] {
      done.enter()
      pool.submit(qos: qos) {
        order.withLock { $0.append(qos) }
        done.leave()
      }
    }
    gate.leave()
    done.wait()
    #expect(order.withLock { $0 } == [.userInteractive, .userInitiated, .default])
  }

  @Test(
    "A queue leaves its thread between two items to more urgent work (S98)",
    arguments: [[], .concurrent] as [WorkQueue.Attributes]
  )
  func urgentWorkRunsBetweenItems(attributes: WorkQueue.Attributes) {
    let pool = WorkerPool(name: "between", width: 1, maximumThreadCount: 1)
    let queue = WorkQueue(label: "items", qos: .default, attributes: attributes, pool: pool)
    let urgent = WorkQueue(label: "urgent", qos: .userInitiated, pool: pool)
    let group = WorkGroup()
    let order = BargingLock<[String]>([])
    queue.suspend()
    queue.async(group: group) {
      order.withLock { $0.append("first") }
      urgent.async(group: group) { order.withLock { $0.append("urgent") } }
    }
    queue.async(group: group) { order.withLock { $0.append("second") } }
    queue.async(group: group) { order.withLock { $0.append("third") } }
    queue.resume()
    group.wait()
    #expect(order.withLock { $0 } == ["first", "urgent", "second", "third"])
  }

  @Test("A serial queue continues in order beside a stream of more urgent work (S98)")
  func orderBesideUrgentWork() {
    let pool = WorkerPool(name: "stream", width: 1, maximumThreadCount: 1)
    let queue = WorkQueue(label: "items", qos: .default, pool: pool)
    let urgent = WorkQueue(label: "urgent", qos: .userInitiated, pool: pool)
    let group = WorkGroup()
    let order = BargingLock<[Int]>([])
    let urgentOrder = BargingLock<[Int]>([])
    queue.suspend()
    for number in 0..<200 {
      queue.async(group: group) {
        order.withLock { $0.append(number) }
        // Each of them waits until the queue leaves its thread.
        urgent.async(group: group) {
          let done = order.withLock { $0.count }
          urgentOrder.withLock { $0.append(done) }
        }
      }
    }
    queue.resume()
    group.wait()
    #expect(order.withLock { $0 } == Array(0..<200))
    #expect(urgentOrder.withLock { $0 } == Array(1...200))
  }

  @Test("A serial queue without more work is free while more urgent work waits (S98)")
  func emptyQueueIsFree() {
    let pool = WorkerPool(name: "empty", width: 1, maximumThreadCount: 1)
    let queue = WorkQueue(label: "items", qos: .default, pool: pool)
    let group = WorkGroup()
    let isHeld = BargingLock<Bool?>(nil)
    queue.async(group: group) {
      group.enter()
      pool.submit(qos: .userInitiated) {
        // No other thread exists that could free it meanwhile.
        let held = queue.core.isHeld
        isHeld.withLock { $0 = held }
        group.leave()
      }
    }
    group.wait()
    #expect(isHeld.withLock { $0 } == false)
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
    #expect(name(.normal, "a-rather-long-name", 4095) == "a-rather-l-4095")
    #expect(name(.background, "ééééé", 10) == "éééé-bg-10")
    #expect(name(.normal, "", 1) == "-1")
  }
}
