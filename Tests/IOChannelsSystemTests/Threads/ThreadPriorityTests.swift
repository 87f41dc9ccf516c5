import Foundation
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@Suite("Threads with a changed priority")
struct ThreadPriorityTests {
  /// Runs a closure on a thread of its own and gives its answer.
  private func onThread<Answer: Sendable>(
    _ body: @escaping @Sendable () throws -> Answer
  ) throws -> Answer {
    let answer = Mutex<Result<Answer, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    try PlatformThread.start(name: "priority") {
      let result = Result(catching: body)
      answer.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    return try #require(answer.withLock { $0 }).get()
  }

  @Test("A lowered thread is less urgent than before")
  func aLoweredThreadStepsBackFromWhereItWas() throws {
    let before = ThreadPlace.current
    let after = try onThread {
      PlatformThread.changePriority(steps: 2)
      return ThreadPlace.current
    }
    #expect(after == ThreadPlace(nice: min(19, before.nice + 2), yieldsDisks: before.yieldsDisks))
    #expect(ThreadPlace.current == before)
  }

  @Test("A raised priority needs a privilege, and is skipped without it")
  func raised() throws {
    let before = ThreadPlace.current
    let (after, started) = try onThread {
      PlatformThread.changePriority(steps: -2)
      return try (ThreadPlace.current, onThread { ThreadPlace.current })
    }
    #expect(after.nice == max(-20, before.nice - 2) || after == before)
    #expect(started == before)
  }

  @Test("The lowest priority is the bound")
  func theLastPlaceIsTheEnd() throws {
    let last = try onThread {
      PlatformThread.changePriority(steps: 15, yieldsDisks: true)
      PlatformThread.changePriority(steps: 15, yieldsDisks: true)
      return ThreadPlace.current
    }
    #expect(last == ThreadPlace(nice: 19, yieldsDisks: true))
  }

  @Test("Threads that such a thread starts have ordinary priority")
  func whatALoweredThreadStartsHasTheOrdinaryPlace() throws {
    let before = ThreadPlace.current
    for _ in 0..<20 {
      let started = try onThread {
        PlatformThread.changePriority(steps: 10, yieldsDisks: true)
        return try onThread { ThreadPlace.current }
      }
      #expect(started == before)
    }
  }
}
