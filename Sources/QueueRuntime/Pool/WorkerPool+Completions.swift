internal import IOChannelsSystem

extension WorkerPool {
  /// The threads on which operations resume the tasks that await them.
  ///
  /// They are separate from those of queues, so an awaited operation completes while every worker
  /// is blocked in code of the program (S38). Their jobs wait only for short locks.
  package static let completions = WorkerPool(
    nameOfOwnWork: "done",
    width: min(ProcessorCount.usable, 64),
    maximumThreadCount: 64,
    // The executor of a task is code of the program.
    runsUserCode: true
  )

  /// The threads that run handlers of operations while all shared workers of a class are busy.
  static let spare = WorkerPool(
    name: "spare",
    width: min(ProcessorCount.usable, 64),
    maximumThreadCount: 64
  )

  /// Returns whether a class has a job for each of its threads, read without a lock and therefore
  /// approximate.
  func isFull(qos: WorkQueue.QoS.QoSClass) -> Bool {
    existingGroup(WorkerGroupKind(qos))?.isFull ?? false
  }

  /// Whether some class has a job for each of its threads.
  var isFullForSomeClass: Bool {
    isFull(qos: .userInitiated) || isFull(qos: .default) || isFull(qos: .utility)
      || isFull(qos: .background)
  }
}

extension WorkQueue {
  private static func makeCompletions(_ qos: QoS) -> WorkQueue {
    WorkQueue(
      label: "completions.\(qos.qosClass)",
      qos: qos,
      attributes: .concurrent,
      pool: .completions
    )
  }

  private static let backgroundCompletions = makeCompletions(.background)
  private static let utilityCompletions = makeCompletions(.utility)
  private static let defaultCompletions = makeCompletions(.default)
  private static let userInitiatedCompletions = makeCompletions(.userInitiated)
  private static let userInteractiveCompletions = makeCompletions(.userInteractive)

  /// Returns the concurrent queue of a class on which awaited operations complete.
  package static func completions(qos: QoS.QoSClass = .default) -> WorkQueue {
    switch qos {
    case .background: backgroundCompletions
    case .utility: utilityCompletions
    case .unspecified, .default: defaultCompletions
    case .userInitiated: userInitiatedCompletions
    case .userInteractive: userInteractiveCompletions
    }
  }
}
