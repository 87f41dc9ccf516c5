internal import IOChannelsLocks
import QueueRuntime

/// A closure of the program that runs at most once and is released by the thread that runs it.
///
/// Other threads may keep this object for any time, such as those of the engine, which must not
/// free objects of the program.
final class OneTimeCode<Argument>: Sendable {
  private let code: BargingLock<(@Sendable (Argument) -> Void)?>

  init(_ code: @escaping @Sendable (Argument) -> Void) {
    self.code = BargingLock(code)
  }

  /// Runs the closure, unless it has run.
  func run(_ argument: Argument) {
    code.withLock { $0.take() }?(argument)
  }
}
