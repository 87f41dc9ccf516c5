/// How a wait with a time limit ended.
public enum WaitResult: Sendable, Hashable {
  /// What was waited for has happened.
  case success
  /// The time was up before.
  case timedOut
}
