import IOChannelsLocks
import QueueRuntime
import Testing

@testable import IOChannels

/// S142: code of a program goes with its run, however long somebody keeps the place where it was.
@Suite struct OneTimeCodeTests {
  /// Something of a program's.
  private final class Belonging: Sendable {}

  @Test func whatItHoldsGoesWithItsRun() {
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

  @Test func itRunsAtMostOnce() {
    let runs = BargingLock<[Int]>([])
    let code = OneTimeCode<Int> { argument in runs.withLock { $0.append(argument) } }
    for argument in 1...3 { code.run(argument) }
    #expect(runs.withLock { $0 } == [1])
  }
}
