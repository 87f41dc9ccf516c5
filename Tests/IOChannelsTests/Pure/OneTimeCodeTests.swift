import QueueRuntime
import Testing

@testable import IOChannels

@Suite("Code that runs once (S142)")
struct OneTimeCodeTests {
  /// Something of a program's.
  private final class Belonging: Sendable {}

  @Test("Captured objects are released after the run")
  func whatItHoldsGoesWithItsRun() {
    weak var watched: Belonging?
    let code: OneTimeCode<Int>
    do {
      let belonging = Belonging()
      watched = belonging
      code = OneTimeCode { _ in withExtendedLifetime(belonging) {} }
    }
    #expect(watched != nil)
    code.run(7)
    #expect(watched == nil)
    // The place itself is still kept.
    withExtendedLifetime(code) {}
  }

  @Test("A handler runs at most once")
  func itRunsAtMostOnce() {
    let runs = BargingLock<[Int]>([])
    let code = OneTimeCode<Int> { argument in runs.withLock { $0.append(argument) } }
    for argument in 1...3 { code.run(argument) }
    #expect(runs.withLock { $0 } == [1])
  }
}
