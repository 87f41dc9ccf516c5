import Foundation
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@Suite("Lowered threads")
struct LoweringTests {
  /// Runs a closure on a thread of its own and gives its answer.
  private func onThread<Answer: Sendable>(
    _ body: @escaping @Sendable () throws -> Answer
  ) throws -> Answer {
    let answer = Mutex<Result<Answer, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    try PlatformThread.start(name: "lowering") {
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
      PlatformThread.lower(steps: 2, yieldsDisks: false)
      return ThreadPlace.current
    }
    #expect(after == ThreadPlace(nice: min(19, before.nice + 2), yieldsDisks: before.yieldsDisks))
    #expect(ThreadPlace.current == before)
  }

  @Test("The lowest priority is the bound")
  func theLastPlaceIsTheEnd() throws {
    let last = try onThread {
      PlatformThread.lower(steps: 15, yieldsDisks: true)
      PlatformThread.lower(steps: 15, yieldsDisks: true)
      return ThreadPlace.current
    }
    #expect(last == ThreadPlace(nice: 19, yieldsDisks: true))
  }

  @Test("Threads that a lowered thread starts have ordinary priority")
  func whatALoweredThreadStartsHasTheOrdinaryPlace() throws {
    let before = ThreadPlace.current
    for _ in 0..<20 {
      let started = try onThread {
        PlatformThread.lower(steps: 10, yieldsDisks: true)
        return try onThread { ThreadPlace.current }
      }
      #expect(started == before)
    }
  }
}
