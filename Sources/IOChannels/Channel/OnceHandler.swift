internal import IOChannelsLocks
import QueueRuntime

/// A handler that is called at most once and released by the thread that calls it.
///
/// Other threads may keep this object for any time, such as those of the engine, which must not
/// free objects of the program.
final class OnceHandler<Argument>: Sendable {
  private let handler: BargingLock<(@Sendable (Argument) -> Void)?>

  init(_ handler: @escaping @Sendable (Argument) -> Void) {
    self.handler = BargingLock(handler)
  }

  /// Calls the handler, unless it was called before.
  func run(_ argument: Argument) {
    handler.withLock { $0.take() }?(argument)
  }
}
