extension WorkQueue {
  /// How urgent work is, compared with other work of the process.
  public struct QoS: Sendable, Hashable {
    /// The classes of urgency, from the least to the most urgent.
    public enum QoSClass: UInt8, Sendable, Hashable, Comparable, CaseIterable {
      /// No class of its own: where one is needed, that of the surroundings, or else the default.
      case unspecified
      /// Work that nobody waits for, such as indexing and backups.
      case background
      /// Work whose progress somebody may look at from time to time.
      case utility
      /// Work of which nothing is known.
      case `default`
      /// Work whose result somebody asked for and waits for.
      case userInitiated
      /// Work that somebody's screen or ear depends on.
      case userInteractive

      /// Whether the left class is less urgent.
      public static func < (left: QoSClass, right: QoSClass) -> Bool {
        left.rawValue < right.rawValue
      }
    }

    /// No class of its own.
    public static let unspecified = QoS(qosClass: .unspecified)
    /// Work that nobody waits for.
    public static let background = QoS(qosClass: .background)
    /// Work whose progress somebody may look at from time to time.
    public static let utility = QoS(qosClass: .utility)
    /// Work of which nothing is known.
    public static let `default` = QoS(qosClass: .default)
    /// Work whose result somebody waits for.
    public static let userInitiated = QoS(qosClass: .userInitiated)
    /// Work that somebody's screen or ear depends on.
    public static let userInteractive = QoS(qosClass: .userInteractive)

    /// The class.
    public let qosClass: QoSClass

    /// The place inside the class, from -15 to 0; kept for those who ask, without effect here.
    public let relativePriority: Int

    /// Makes a quality of service.
    ///
    /// - Precondition: The relative priority lies between -15 and 0.
    public init(qosClass: QoSClass, relativePriority: Int = 0) {
      requireUse(
        (-15...0).contains(relativePriority),
        "A relative priority lies between -15 and 0.",
        "S173"
      )
      self.qosClass = qosClass
      self.relativePriority = relativePriority
    }
  }
}
