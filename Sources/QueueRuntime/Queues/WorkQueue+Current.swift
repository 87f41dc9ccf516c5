/// A condition for the calling thread, which `WorkQueue.precondition` checks.
public enum QueueCondition: Sendable {
  /// The thread runs work of the queue, or of one that targets it.
  case onQueue(WorkQueue)
  /// The thread does so, and no other work runs in the queue at the same time.
  case onQueueAsBarrier(WorkQueue)
  /// The thread runs neither work of the queue nor of one that targets it.
  case notOnQueue(WorkQueue)
}

extension WorkQueue {
  /// The queue whose work the calling thread runs, for debugging.
  ///
  /// On a thread that runs no work of a queue it is the main queue for the main thread and for work
  /// of Dispatch's main queue, and the default global queue for others.
  public static var current: WorkQueue {
    QueueFrame.currentQueue ?? (MainThread.isCurrent ? .main : .global())
  }

  /// The label of the current queue.
  public static var currentLabel: String { current.label }

  /// Stops the program unless the calling thread satisfies a condition.
  ///
  /// A thread inside `sync` also counts as on its outer queues. The main thread always counts as on
  /// the main queue, and so does a thread that runs work of Dispatch's main queue.
  public static func precondition(_ condition: @autoclosure () -> QueueCondition) {
    switch condition() {
    case .onQueue(let queue):
      requireUse(
        queue.occupationByCaller != .none,
        "This must run on the queue \(queue.label), but runs on \(currentLabel).",
        "S80"
      )
    case .onQueueAsBarrier(let queue):
      requireUse(
        queue.occupationByCaller == .exclusive,
        "This must run as a barrier of the queue \(queue.label), but runs on \(currentLabel).",
        "S80"
      )
    case .notOnQueue(let queue):
      requireUse(
        queue.occupationByCaller == .none,
        "This must not run on the queue \(queue.label).",
        "S80"
      )
    }
  }

  /// The way in which the calling thread occupies this queue.
  var occupationByCaller: QueueFrame.Occupation {
    switch kind {
    case .own:
      return QueueFrame.occupation(of: self)
    case .main:
      return MainThread.isCurrent ? .exclusive : QueueFrame.occupation(of: self)
    case .global:
      var isOccupied = false
      QueueFrame.forEachOccupied { queue, _ in
        let reaches = queue.target == nil && queue.pool === pool && queue !== WorkQueue.main
        isOccupied = isOccupied || reaches && queue.destination.value.qosClass == qos.qosClass
      }
      return isOccupied ? .shared : .none
    }
  }
}
