extension WorkQueue {
  private static func makeGlobal(_ qos: QoS) -> WorkQueue {
    WorkQueue(
      label: "global.\(qos.qosClass)",
      qos: qos,
      kind: .global,
      lane: ConcurrentLane(),
      pool: .shared,
      home: Home(target: nil, qosClass: qos.qosClass)
    )
  }

  private static let globalBackground = makeGlobal(.background)
  private static let globalUtility = makeGlobal(.utility)
  private static let globalDefault = makeGlobal(.default)
  private static let globalUserInitiated = makeGlobal(.userInitiated)
  private static let globalUserInteractive = makeGlobal(.userInteractive)

  /// The concurrent queue of a class that all parts of a program share.
  ///
  /// It takes no barriers: they run as if they were none. It cannot be suspended or retargeted.
  public static func global(qos: QoS.QoSClass = .default) -> WorkQueue {
    switch qos {
    case .background: globalBackground
    case .utility: globalUtility
    case .unspecified, .default: globalDefault
    case .userInitiated: globalUserInitiated
    case .userInteractive: globalUserInteractive
    }
  }

  /// The four priorities that came before the classes of quality of service.
  public enum GlobalQueuePriority: Sendable {
    /// Work whose result somebody waits for.
    case high
    /// Work of which nothing is known.
    case `default`
    /// Work whose progress somebody may look at.
    case low
    /// Work that nobody waits for.
    case background
  }

  /// The global queue of the class that takes the place of a priority.
  public static func global(priority: GlobalQueuePriority) -> WorkQueue {
    switch priority {
    case .high: global(qos: .userInitiated)
    case .default: global(qos: .default)
    case .low: global(qos: .utility)
    case .background: global(qos: .background)
    }
  }
}
