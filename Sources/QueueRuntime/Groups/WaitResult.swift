/// The result of a wait with a time limit.
public enum WaitResult: Sendable, Hashable {
  /// The event occurred before the deadline.
  case success
  /// The deadline passed first.
  case timedOut
}
