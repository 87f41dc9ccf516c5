import Foundation
import Synchronization
import SystemCalls
import Testing

@testable import QueueRuntime

@Suite struct WorkerPoolTests {
  @Test func runsEachJobOnceWithFewThreads() {
    let pool = WorkerPool(name: "few", width: 2, maximum: 2)
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

  @Test("S100: workers that are blocked are joined by others, up to the maximum")
  func growsWhileWorkersAreBlocked() {
    let pool = WorkerPool(name: "grow", width: 1, maximum: 10)
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

  @Test func busyWorkersAreNotJoinedByMore() {
    let pool = WorkerPool(name: "busy", width: 1, maximum: 10)
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

  @Test func aPoolFullOfBlockedWorkersGoesOnWhenOneReturns() {
    let pool = WorkerPool(name: "full", width: 2, maximum: 2)
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

  @Test("S101: idle threads end, and others start later")
  func idleThreadsEnd() {
    #expect(CrewMeans().idleTime == 5_000_000_000)
    let ended = WorkGroup()
    let means = CrewMeans(
      startThread: { name, body throws(Errno) in
        ended.enter()
        try PlatformThread.start(name: name) {
          body()
          ended.leave()
        }
      },
      idleTime: 1_000_000
    )
    let pool = WorkerPool(name: "idle", width: 2, maximum: 8, means: means)
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

  @Test func workersBlockSignalsButNotTheirFaults() throws {
    let pool = WorkerPool(name: "signals", width: 1, maximum: 1)
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
    func isBlocked(_ signal: Int32) -> Bool { mask >> UInt64(signal - 1) & 1 == 1 }
    #expect([SIGPIPE, SIGINT, SIGTERM, SIGUSR1, SIGPROF].allSatisfy(isBlocked))
    #expect(![SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS].contains(where: isBlocked))
  }
}
