/// How a queue treats one closure.
public struct WorkItemFlags: OptionSet, Sendable {
  /// The bits of the set.
  public let rawValue: UInt

  /// Makes a set of its bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Runs after everything submitted to a concurrent queue before, and before everything after.
  ///
  /// It has no effect on serial queues, which do so anyway, and on the global queue.
  public static let barrier = WorkItemFlags(rawValue: 1)
}
