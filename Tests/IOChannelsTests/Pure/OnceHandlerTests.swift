import IOChannelsLocks
import QueueRuntime
import Testing

@testable import IOChannels

@Suite("Handlers that are called once (S142)")
struct OnceHandlerTests {
  /// An object of the program.
  private final class Belonging: Sendable {}

  @Test("A handler is released after its call, even if its holder is kept")
  func isReleasedAfterItsCall() {
    weak var watched: Belonging?
    let handler: OnceHandler<Int>
    do {
      let belonging = Belonging()
      watched = belonging
      handler = OnceHandler { _ in withExtendedLifetime(belonging) {} }
    }
    #expect(watched != nil)
    handler.run(7)
    #expect(watched == nil)
    // The holder itself is still kept.
    withExtendedLifetime(handler) {}
  }

  @Test("A handler is called at most once")
  func isCalledAtMostOnce() {
    let runs = BargingLock<[Int]>([])
    let handler = OnceHandler<Int> { argument in runs.withLock { $0.append(argument) } }
    for argument in 1...3 { handler.run(argument) }
    #expect(runs.withLock { $0 } == [1])
  }
}
