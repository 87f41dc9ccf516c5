import Foundation
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("Shortage of threads")
struct ThreadShortageTests {
  private static let noThread: WorkerGroupConfiguration.ThreadStart = { _, _ throws(SystemError) in
    throw .resourceTemporarilyUnavailable
  }

  /// Runs a closure on a pool and gives its answer.
  private func answer<Answer: Sendable>(
    of pool: WorkerPool,
    _ qos: WorkQueue.QoS.QoSClass,
    _ body: @escaping @Sendable () -> Answer
  ) -> Answer? {
    let answer = Mutex<Answer?>(nil)
    let group = WorkGroup()
    group.enter()
    pool.submit(qos: qos) {
      let value = body()
      answer.withLock { $0 = value }
      group.leave()
    }
    group.wait()
    return answer.withLock { $0 }
  }

  /// Means that start threads of the names for which `allows` holds.
  private func configuration(startingOnly allows: @escaping @Sendable (String) -> Bool)
    -> WorkerGroupConfiguration
  {
    WorkerGroupConfiguration(startThread: { name, body throws(SystemError) in
      guard allows(name) else { throw .resourceTemporarilyUnavailable }
      try PlatformThread.start(name: name, body: body)
    })
  }

  @Test("Without any thread the submitter runs the jobs in order")
  func withoutAnyThreadTheSubmitterRunsTheJobsInOrder() {
    let configuration = WorkerGroupConfiguration(startThread: Self.noThread, pauses: [])
    let pool = WorkerPool(
      name: "none",
      width: 2,
      maximumThreadCount: 2,
      configuration: configuration
    )
    let seen = Mutex<[Int]>([])
    pool.submit {
      pool.submit { seen.withLock { $0.append(2) } }
      seen.withLock { $0.append(1) }
    }
    #expect(seen.withLock { $0 } == [1, 2])
    #expect(pool.threadCount == 0)
    let queue = WorkQueue(label: "none", pool: pool)
    for number in 3...5 { queue.async { seen.withLock { $0.append(number) } } }
    #expect(queue.sync { seen.withLock { $0 } } == [1, 2, 3, 4, 5])
  }

  @Test("A lost reader ends no program whose submitter writes itself (S37)")
  func aLostReaderRaisesNoSignalInTheSubmitter() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let configuration = WorkerGroupConfiguration(
        startThread: { _, _ throws(SystemError) in throw .resourceTemporarilyUnavailable },
        pauses: []
      )
      let pool = WorkerPool(
        name: "none",
        width: 1,
        maximumThreadCount: 1,
        configuration: configuration
      )
      let writing = try PipeEnds().closeReading()
      let found = Mutex<SystemError?>(nil)
      for _ in 0..<2 {
        pool.submit {
          do throws(SystemError) {
            _ = try writing.borrowed.writeQuietly([1])
          } catch {
            found.withLock { $0 = error }
          }
        }
        guard found.withLock({ $0 }) == .brokenPipe else { exit(1) }
      }
    }
  }

  @Test("One thread is enough where no more can be started (S102)")
  func worksWithOneThread() {
    let starts = Atomic<Int>(0)
    let configuration = WorkerGroupConfiguration(startThread: { name, body throws(SystemError) in
      guard starts.add(1, ordering: .relaxed).oldValue == 0 else {
        throw .resourceTemporarilyUnavailable
      }
      try PlatformThread.start(name: name, body: body)
    })
    let pool = WorkerPool(
      name: "one",
      width: 4,
      maximumThreadCount: 4,
      configuration: configuration
    )
    let queues = (0..<4).map { WorkQueue(label: "one \($0)", pool: pool) }
    let count = Atomic<Int>(0)
    let group = WorkGroup()
    for number in 0..<10_000 {
      queues[number % 4].async(group: group) { count.add(1, ordering: .relaxed) }
    }
    group.wait()
    #expect(count.load(ordering: .relaxed) == 10_000)
    #expect(pool.threadCount == 1)
  }

  @Test(
    "A class without a thread is served by another's (S102)",
    arguments: [
      ("s-0", [.background, .utility, .userInitiated, .default]),
      ("s-high-0", [.background, .userInteractive, .default]),
      ("s-utility-0", [.background, .userInteractive, .default]),
      ("s-bg-0", [.utility, .default, .background]),
    ] as [(String, [WorkQueue.QoS.QoSClass])]
  )
  func oneThreadServesAllClasses(name: String, others: [WorkQueue.QoS.QoSClass]) {
    let pool = WorkerPool(
      name: "s",
      width: 2,
      maximumThreadCount: 2,
      configuration: configuration { $0 == name }
    )
    let own = WorkQueue.QoS.QoSClass.allCases.first { qos in
      WorkerGroupKind(qos).threadName(pool: "s", worker: 0) == name
    }
    let first = answer(of: pool, own ?? .default) { PlatformThread.currentNumber }
    for qos in others + others {
      let number = answer(of: pool, qos) { PlatformThread.currentNumber }
      #expect(number == first)
    }
    #expect(pool.threadCount == 1)
  }

  @Test("Threads of another class serve many queues")
  func tooFewThreadsForAnotherClassServeManyQueuesOfIt() {
    let pool = WorkerPool(
      name: "s",
      width: 2,
      maximumThreadCount: 2,
      configuration: configuration { $0.hasPrefix("s-bg") }
    )
    _ = answer(of: pool, .background) {}
    let group = WorkGroup()
    let count = Atomic<Int>(0)
    for number in 0..<10_000 {
      group.enter()
      pool.submit(qos: number % 2 == 0 ? .default : .utility) {
        count.add(1, ordering: .relaxed)
        group.leave()
      }
    }
    group.wait()
    #expect(count.load(ordering: .relaxed) == 10_000)
  }

  @Test("Without any thread, submitting tries again and runs nothing itself (S103)")
  func theSubmitterTriesAgain() {
    let attempts = Atomic<Int>(0)
    let configuration = WorkerGroupConfiguration(
      startThread: { name, body throws(SystemError) in
        guard attempts.add(1, ordering: .relaxed).oldValue == 3 else {
          throw .resourceTemporarilyUnavailable
        }
        try PlatformThread.start(name: name, body: body)
      },
      pauses: [1, 0, 1]
    )
    let pool = WorkerPool(
      name: "again",
      width: 1,
      maximumThreadCount: 1,
      configuration: configuration
    )
    let number = answer(of: pool, .default) { PlatformThread.currentNumber }
    #expect(number != PlatformThread.currentNumber)
    #expect(attempts.load(ordering: .relaxed) == 4)
    #expect(pool.statistics().failedThreadStartCount == 3)
    #expect(pool.statistics().threadStartCount == 4)
  }

  @Test("After the last attempt the submitter runs the jobs, and later ones at once (S103)")
  func theSubmitterRunsTheJobsAtLast() {
    let attempts = Atomic<Int>(0)
    let isShort = Atomic<Bool>(true)
    let configuration = WorkerGroupConfiguration(
      startThread: { name, body throws(SystemError) in
        attempts.add(1, ordering: .relaxed)
        if isShort.load(ordering: .relaxed) { throw .resourceTemporarilyUnavailable }
        try PlatformThread.start(name: name, body: body)
      },
      pauses: [1, 1]
    )
    let pool = WorkerPool(
      name: "none",
      width: 1,
      maximumThreadCount: 1,
      configuration: configuration
    )
    let own = PlatformThread.currentNumber
    for expected in [3, 4, 5] {
      #expect(answer(of: pool, .default) { PlatformThread.currentNumber } == own)
      #expect(attempts.load(ordering: .relaxed) == expected)
    }
    #expect(pool.threadCount == 0)
    isShort.store(false, ordering: .relaxed)
    #expect(answer(of: pool, .default) { PlatformThread.currentNumber } != own)
  }

  @Test("Queues, groups, loops and timers work where no thread can be started (S103)")
  func queuesWorkWithoutThreads() throws {
    for sandbox in Sandbox.withoutThreads {
      let outcome = try run(
        [BuiltProgram.sandboxrun.path] + sandbox + [
          "--", BuiltProgram.mainqueue.path, "threadless",
        ]
      )
      #expect(outcome.succeeded && outcome.outputText == "done\n", "\(sandbox): \(outcome)")
    }
  }

  @Test("The attempts take about a second")
  func theTriesTakeAboutASecond() {
    #expect((900...1100).contains(WorkerGroupConfiguration().pauses.reduce(0, +)))
  }
}
