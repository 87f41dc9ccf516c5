extension WorkerPool {
  /// The threads of the global queues that C programs get with the flag of Dispatch for more
  /// threads than processors.
  ///
  /// Work that never blocks gets a thread of its own, up to 255 in `default` and as many
  /// in the classes above it.
  static let overcommit = WorkerPool(name: "overcommit", width: 255, maximumThreadCount: 255)

  /// The most threads that take part in a loop.
  ///
  /// Further threads than processors would only wait for each other.
  var loopWidth: Int {
    self === WorkerPool.overcommit ? WorkerPool.shared.width : width
  }
}

extension WorkQueue {
  private static func makeOvercommit(_ qos: QoS) -> WorkQueue {
    makeGlobal(qos, named: "overcommit", pool: .overcommit)
  }

  private static let backgroundOvercommit = makeOvercommit(.background)
  private static let utilityOvercommit = makeOvercommit(.utility)
  private static let defaultOvercommit = makeOvercommit(.default)
  private static let userInitiatedOvercommit = makeOvercommit(.userInitiated)
  private static let userInteractiveOvercommit = makeOvercommit(.userInteractive)

  /// Returns the global queue of a class whose work does not wait for a free processor.
  package static func overcommit(qos: QoS.QoSClass) -> WorkQueue {
    switch qos {
    case .background: backgroundOvercommit
    case .utility: utilityOvercommit
    case .unspecified, .default: defaultOvercommit
    case .userInitiated: userInitiatedOvercommit
    case .userInteractive: userInteractiveOvercommit
    }
  }
}
