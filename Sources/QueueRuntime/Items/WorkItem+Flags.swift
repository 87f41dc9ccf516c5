extension WorkItem {
  /// How a queue treats one closure.
  public struct Flags: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Makes a set of its bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Runs after everything submitted to a concurrent queue before, and before everything after.
    ///
    /// It has no effect on serial queues, which do so anyway, and on the global queues.
    public static let barrier = Flags(rawValue: 1)

    /// Has nothing to do with what made it; kept for programs that ask, without effect here.
    public static let detached = Flags(rawValue: 2)

    /// Takes the quality of service from where an item is made, unless it is given one.
    ///
    /// It has no effect on closures that are submitted without an item.
    public static let assignCurrentContext = Flags(rawValue: 4)

    /// Has no quality of service of its own, whatever it was given.
    public static let noQoS = Flags(rawValue: 8)

    /// Runs with the queue's quality of service rather than with its own.
    public static let inheritQoS = Flags(rawValue: 16)

    /// Runs with its own quality of service rather than with the queue's, when that is lower.
    public static let enforceQoS = Flags(rawValue: 32)
  }
}

extension WorkItem.Flags {
  /// The quality of service in which a closure that was given one is submitted.
  func effective(_ qos: WorkQueue.QoS) -> WorkQueue.QoS {
    if contains(.enforceQoS) { return qos }
    return isDisjoint(with: [.noQoS, .inheritQoS]) ? qos : .unspecified
  }
}
