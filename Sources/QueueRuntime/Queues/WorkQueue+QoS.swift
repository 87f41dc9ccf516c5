extension WorkQueue {
  /// The urgency of work, compared with other work of the process.
  public struct QoS: Sendable, Hashable {
    /// The classes of urgency, from the least to the most urgent.
    public enum QoSClass: UInt8, Sendable, Hashable, Comparable, CaseIterable {
      /// No class: where one is needed, the class of the context is used, or else the default.
      case unspecified
      /// Work that the user does not wait for, such as indexing and backups.
      case background
      /// Work whose progress the user may check from time to time.
      case utility
      /// Work without a known urgency.
      case `default`
      /// Work that the user has requested and waits for.
      case userInitiated
      /// Work that the user's display or audio depends on.
      case userInteractive

      /// Returns whether the left class is less urgent.
      public static func < (left: QoSClass, right: QoSClass) -> Bool {
        left.rawValue < right.rawValue
      }
    }

    /// No class.
    public static let unspecified = QoS(qosClass: .unspecified)
    /// Work that the user does not wait for.
    public static let background = QoS(qosClass: .background)
    /// Work whose progress the user may check from time to time.
    public static let utility = QoS(qosClass: .utility)
    /// Work without a known urgency.
    public static let `default` = QoS(qosClass: .default)
    /// Work that the user has requested and waits for.
    public static let userInitiated = QoS(qosClass: .userInitiated)
    /// Work that the user's display or audio depends on.
    public static let userInteractive = QoS(qosClass: .userInteractive)

    /// The class.
    public let qosClass: QoSClass

    /// The offset inside the class, from -15 to 0; ignored, kept for source compatibility with
    /// Dispatch.
    public let relativePriority: Int

    /// Creates a quality of service.
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
