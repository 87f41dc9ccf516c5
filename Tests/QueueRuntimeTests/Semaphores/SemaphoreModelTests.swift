import IOChannelsLocks
import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("All orders of the steps of a few threads on one semaphore (S87)")
struct SemaphoreModelTests {
  private static let programs: [(value: Int, calls: [SemaphoreCall])] = [
    (0, [.wait, .signal]),
    (1, [.wait, .wait, .signal]),
    (0, [.wait, .wait, .signal, .signal]),
    (0, [.timedWait, .signal]),
    (0, [.timedWait, .signal, .signal]),
    (0, [.timedWait, .wait, .signal]),
    (0, [.timedWait, .timedWait, .signal]),
    (1, [.timedWait, .timedWait, .wait, .signal]),
    (0, [.timedWait, .timedWait, .wait, .signal, .signal]),
    (0, [.wait, .timedWait, .wait, .signal, .signal]),
  ]

  @Test("No permit is lost or doubled", arguments: programs.indices) func noPermitIsLostOrDoubled(
    index: Int
  ) {
    let (value, calls) = Self.programs[index]
    let found = SemaphoreModel(calls, value: value).explored()
    #expect(found.fault == nil)
    print("semaphore program \(index): \(found.states) states")
  }

  @Test("Every known defect is found", arguments: SemaphoreMutant.allCases) func everyMutantIsFound(
    mutant: SemaphoreMutant
  ) {
    let models = Self.programs.map { SemaphoreModel($0.calls, value: $0.value, mutant: mutant) }
    #expect(models.contains { $0.explored().fault != nil })
  }

  /// The semaphore adds to its word in one instruction; the model makes the transitions.
  @Test(
    "The additions of the semaphore are the transitions of the model",
    arguments: [-3, -1, 0, 1, 2]
  ) func additionsAreTheTransitions(value: Int) {
    let word = SemaphoreWord(value: value)
    let state = AtomicState(word)
    #expect(state.add(SemaphoreWord.giving) == word)
    #expect(state.now == word.given.next)
    #expect(state.add(SemaphoreWord.taking) == word.given.next)
    #expect(state.add(SemaphoreWord.taking) == word)
    #expect(state.now == word.taken.next)
  }

  @Test("Random orders of larger programs keep the rules")
  func walksThroughLargerPrograms() {
    var generator = SeededGenerator()
    for _ in 0..<Tier.count(quick: 2000, full: 200_000) {
      let kinds: [SemaphoreCall] = [.signal, .wait, .timedWait]
      let calls = (0..<generator.number(in: 4..<16)).map { _ in
        kinds[generator.number(in: 0..<3)]
      }
      let value = generator.number(in: 0..<4)
      let fault = SemaphoreModel(calls, value: value).faultOfWalk(&generator)
      #expect(fault == nil, "\(value): \(calls)")
      if fault != nil { return }
    }
  }
}
