import Foundation
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("Worker pools")
struct WorkerPoolTests {
  @Test("Each job runs once, with few threads")
  func runsEachJobOnceWithFewThreads() {
    let pool = WorkerPool(name: "few", width: 2, maximumThreadCount: 2)
    let count = Atomic<Int>(0)
    let group = WorkGroup()
    for _ in 0..<10_000 {
      group.enter()
      pool.submit {
        count.add(1, ordering: .relaxed)
        group.leave()
      }
    }
    group.wait()
    #expect(count.load(ordering: .relaxed) == 10_000)
    #expect(pool.threadCount <= 2)
  }

  @Test("Workers that are blocked are joined by others, up to the maximum (S100)")
  func growsWhileWorkersAreBlocked() {
    let pool = WorkerPool(name: "grow", width: 1, maximumThreadCount: 10)
    let arrived = WorkGroup()
    let end = WorkGroup()
    let done = WorkGroup()
    end.enter()
    // One thread watches, so nine can be blocked.
    for _ in 0..<9 { arrived.enter() }
    for _ in 0..<12 { done.enter() }
    for number in 0..<12 {
      pool.submit {
        if number < 9 {
          arrived.leave()
          end.wait()
        }
        done.leave()
      }
    }
    arrived.wait()
    #expect(pool.threadCount <= 10)
    end.leave()
    done.wait()
  }

  @Test("Busy workers start no further ones")
  func busyWorkersAreNotJoinedByMore() {
    let pool = WorkerPool(name: "busy", width: 1, maximumThreadCount: 10)
    let stop = Atomic<Bool>(false)
    let ran = Atomic<Bool>(false)
    let ranBeside = Atomic<Bool>(false)
    let group = WorkGroup()
    group.enter()
    pool.submit {
      while !stop.load(ordering: .relaxed) {}
      ranBeside.store(ran.load(ordering: .relaxed), ordering: .relaxed)
      group.leave()
    }
    group.enter()
    pool.submit {
      ran.store(true, ordering: .relaxed)
      group.leave()
    }
    // The watcher has looked several times by then.
    #expect(group.wait(timeout: .now() + .milliseconds(40)) == .timedOut)
    stop.store(true, ordering: .relaxed)
    group.wait()
    let wasJoined = ranBeside.load(ordering: .relaxed)
    #expect(!wasJoined)
  }

  @Test("A pool full of blocked workers continues when one returns")
  func aPoolFullOfBlockedWorkersGoesOnWhenOneReturns() {
    let pool = WorkerPool(name: "full", width: 2, maximumThreadCount: 2)
    let end = WorkGroup()
    let done = WorkGroup()
    end.enter()
    for _ in 0..<6 {
      done.enter()
      pool.submit {
        end.wait()
        done.leave()
      }
    }
    #expect(done.wait(timeout: .now()) == .timedOut)
    end.leave()
    done.wait()
    #expect(pool.threadCount == 2)
  }

  @Test("Idle threads end, and others start later (S101)")
  func idleThreadsEnd() {
    #expect(WorkerGroupConfiguration().idleTime == 5_000_000_000)
    let ended = WorkGroup()
    let configuration = WorkerGroupConfiguration(
      startThread: { name, body throws(SystemError) in
        ended.enter()
        try PlatformThread.start(name: name) {
          body()
          ended.leave()
        }
      },
      idleTime: 1_000_000
    )
    let pool = WorkerPool(
      name: "idle",
      width: 2,
      maximumThreadCount: 8,
      configuration: configuration
    )
    for _ in 0..<3 {
      let group = WorkGroup()
      for _ in 0..<4 {
        group.enter()
        pool.submit { group.leave() }
      }
      group.wait()
      ended.wait()
      #expect(pool.threadCount == 0)
    }
  }

  /// The signals that a thread of the pool blocks.
  private func blockedSignals(of pool: WorkerPool) throws -> (Int32) -> Bool {
    let group = WorkGroup()
    let status = Mutex<String?>(nil)
    group.enter()
    pool.submit {
      let text = try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
      status.withLock { $0 = text }
      group.leave()
    }
    group.wait()
    let lines = try #require(status.withLock { $0 }).split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("SigBlk:") })
    let mask = try #require(UInt64(line.dropFirst(7).drop { $0 == "\t" }, radix: 16))
    return { mask >> UInt64($0 - 1) & 1 == 1 }
  }

  private static let faults = [SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS]

  @Test("Workers block signals, but not SIGPIPE, SIGPROF and their faults (S165)")
  func workersLeaveTwoSignalsUnblocked() throws {
    let isBlocked = try blockedSignals(
      of: WorkerPool(name: "signals", width: 1, maximumThreadCount: 1)
    )
    #expect([SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGCHLD, SIGALRM].allSatisfy(isBlocked))
    #expect(!(Self.faults + [SIGPIPE, SIGPROF]).contains(where: isBlocked))
  }

  @Test("Threads without code of the program block all signals (S165)")
  func threadsOfTheLibraryBlockAllSignals() throws {
    let isBlocked = try blockedSignals(
      of: WorkerPool(nameOfOwnWork: "own", width: 1, maximumThreadCount: 1)
    )
    #expect([SIGPIPE, SIGPROF, SIGINT, SIGTERM, SIGUSR1].allSatisfy(isBlocked))
    #expect(!Self.faults.contains(where: isBlocked))
  }

  @Test("The mask of the thread that starts a worker has no effect on it (S165)")
  func aWorkerDoesNotInheritAMask() throws {
    // The thread that submits has all signals blocked.
    let pool = WorkerPool(name: "heir", width: 1, maximumThreadCount: 1)
    let found = Mutex<Bool?>(nil)
    let group = WorkGroup()
    group.enter()
    try PlatformThread.start(name: "blocks") {
      let isBlocked = try? blockedSignals(of: pool)
      found.withLock { $0 = isBlocked.map { $0(SIGPIPE) || $0(SIGPROF) } }
      group.leave()
    }
    group.wait()
    #expect(found.withLock { $0 } == false)
  }

  @Test("A child that an item starts ends by SIGPIPE when its reader does (S165)")
  func aChildOfAnItemEndsByTheSignal() async {
    await #expect(processExitsWith: .success) {
      let group = WorkGroup()
      for queue in [WorkQueue(label: "serial"), .global(), .global(qos: .utility)] {
        queue.async(group: group) {
          guard ChildProcess.statusOfPipedChild() == 128 + Int(SIGPIPE) else { exit(1) }
        }
      }
      try await group.completion()
    }
  }
}
