import QueueRuntime

/// Code of a program that runs at most once, and is let go of by whoever runs it.
///
/// Others may keep this as long as they like, as the engine's threads do, which must not free what
/// belongs to a program.
final class OneTimeCode<Argument>: Sendable {
  private let code: BargingLock<(@Sendable (Argument) -> Void)?>

  init(_ code: @escaping @Sendable (Argument) -> Void) {
    self.code = BargingLock(code)
  }

  /// Runs the code, unless it has run.
  func run(_ argument: Argument) {
    code.withLock { $0.take() }?(argument)
  }
}
