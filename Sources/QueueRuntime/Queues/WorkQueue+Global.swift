extension WorkQueue {
  /// Creates a global queue of a pool.
  static func makeGlobal(
    _ qos: QoS,
    named name: String = "global",
    pool: WorkerPool = .shared
  ) -> WorkQueue {
    WorkQueue(
      label: "\(name).\(qos.qosClass)",
      qos: qos,
      kind: .global,
      core: ConcurrentQueueCore(),
      pool: pool,
      destination: Destination(target: nil, qosClass: qos.qosClass)
    )
  }

  private static let globalBackground = makeGlobal(.background)
  private static let globalUtility = makeGlobal(.utility)
  private static let globalDefault = makeGlobal(.default)
  private static let globalUserInitiated = makeGlobal(.userInitiated)
  private static let globalUserInteractive = makeGlobal(.userInteractive)

  /// Returns the concurrent queue of a class that all parts of a program share.
  ///
  /// It ignores barriers: they run like other work. It cannot be suspended or retargeted.
  public static func global(qos: QoS.QoSClass = .default) -> WorkQueue {
    switch qos {
    case .background: globalBackground
    case .utility: globalUtility
    case .unspecified, .default: globalDefault
    case .userInitiated: globalUserInitiated
    case .userInteractive: globalUserInteractive
    }
  }

  /// The four priorities of Dispatch from before the quality-of-service classes, kept for source
  /// compatibility.
  public enum GlobalQueuePriority: Sendable {
    /// Work whose result the user waits for.
    case high
    /// Work without a known urgency.
    case `default`
    /// Work whose progress the user may observe.
    case low
    /// Work that the user does not wait for.
    case background
  }

  /// Returns the global queue of the class that corresponds to a priority.
  public static func global(priority: GlobalQueuePriority) -> WorkQueue {
    switch priority {
    case .high: global(qos: .userInitiated)
    case .default: global(qos: .default)
    case .low: global(qos: .utility)
    case .background: global(qos: .background)
    }
  }
}
