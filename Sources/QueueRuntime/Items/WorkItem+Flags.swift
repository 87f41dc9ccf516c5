extension WorkItem {
  /// Options for the way in which a queue runs one closure.
  public struct Flags: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Creates a set from its bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// A barrier: the closure runs after all earlier work of a concurrent queue and before all
    /// later work.
    ///
    /// It has no effect on serial queues, which always behave so, and on the global queues.
    public static let barrier = Flags(rawValue: 1)

    /// Ignored; kept for source compatibility with Dispatch.
    public static let detached = Flags(rawValue: 2)

    /// The quality of service of the context that creates the item, unless the item has its own.
    ///
    /// It has no effect on closures that are submitted without an item.
    public static let assignCurrentContext = Flags(rawValue: 4)

    /// No quality of service for the item, even if it was created with one.
    public static let noQoS = Flags(rawValue: 8)

    /// The queue's quality of service instead of the item's own.
    public static let inheritQoS = Flags(rawValue: 16)

    /// The item's own quality of service instead of the queue's, when the item's is lower.
    public static let enforceQoS = Flags(rawValue: 32)
  }
}

extension WorkItem.Flags {
  /// Returns the quality of service for the submission of a closure that was created with `qos`.
  func effective(_ qos: WorkQueue.QoS) -> WorkQueue.QoS {
    if contains(.enforceQoS) { return qos }
    return isDisjoint(with: [.noQoS, .inheritQoS]) ? qos : .unspecified
  }
}
