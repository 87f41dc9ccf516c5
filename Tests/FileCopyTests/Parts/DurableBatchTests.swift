import IOChannels
import IOChannelsTestSupport
import Synchronization
import Testing

@testable import FileCopy

/// Threads share the flushes of a file system.
@Suite("Shared flushes", .ends(withinMinutes: 10))
struct DurableBatchTests {
  /// The numbers of flushes that have begun and ended, and their errors.
  private final class Flushes: Sendable {
    let begun = Atomic<Int>(0)
    let ended = Atomic<Int>(0)
    let isRunning = Atomic<Bool>(false)
    let problems = Atomic<Int>(0)
  }

  @Test("Each thread continues after a flush that began later than its call (T53)")
  func order() {
    let (batch, flushes) = (DurableBatch(), Flushes())
    WorkQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 1...Tier.count(quick: 500, full: 50_000) {
        let before = flushes.begun.load(ordering: .sequentiallyConsistent)
        do throws(SystemError) {
          try batch.flush { (_) throws(SystemError) in
            if flushes.isRunning.exchange(true, ordering: .sequentiallyConsistent) {
              flushes.problems.wrappingAdd(1, ordering: .relaxed)
            }
            flushes.begun.wrappingAdd(1, ordering: .sequentiallyConsistent)
            flushes.isRunning.store(false, ordering: .sequentiallyConsistent)
            flushes.ended.wrappingAdd(1, ordering: .sequentiallyConsistent)
          }
        } catch {
          flushes.problems.wrappingAdd(1, ordering: .relaxed)
        }
        if flushes.ended.load(ordering: .sequentiallyConsistent) <= before {
          flushes.problems.wrappingAdd(1, ordering: .relaxed)
        }
      }
    }
    #expect(flushes.problems.load(ordering: .relaxed) == 0)
  }

  @Test("An error is that of the thread whose flush has failed (T53)")
  func failure() {
    let batch = DurableBatch()
    var failures: [SystemError?] = []
    for failure in [SystemError.ioError, nil, .noSpace] as [SystemError?] {
      do throws(SystemError) {
        try batch.flush { (isAlone) throws(SystemError) in
          #expect(isAlone)
          if let failure { throw failure }
        }
        failures.append(nil)
      } catch {
        failures.append(error)
      }
    }
    #expect(failures == [.ioError, nil, .noSpace])
  }
}
