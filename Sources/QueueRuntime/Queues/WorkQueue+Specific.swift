/// The identity under which queues keep a value of one type.
public final class QueueKey<Value: Sendable>: Sendable {
  /// Makes a key that equals no other.
  public init() {}
}

extension WorkQueue {
  /// Keeps a value under a key, or with nil takes it away.
  ///
  /// What was there is released before this returns. What is there when the queue goes is released
  /// on a global queue (S124): the last reference may be of any thread.
  public func setSpecific<Value>(key: QueueKey<Value>, value: Value?) {
    // The old value goes with the closure's result, outside of the lock.
    _ = attachments.change { attachments in
      let old = attachments.specifics[ObjectIdentifier(key)]
      attachments.specifics[ObjectIdentifier(key)] = value.map { Kept(key: key, value: $0) }
      return old
    }
  }

  /// The value that this queue itself keeps under a key.
  public func getSpecific<Value>(key: QueueKey<Value>) -> Value? {
    let found = attachments.look { $0.specifics[ObjectIdentifier(key)] }
    return (found as? Kept<Value>)?.value
  }

  /// The value under a key of the current queue or else of the nearest queue that it targets.
  ///
  /// Off all queues, the main thread counts as on the main queue.
  public static func getSpecific<Value>(key: QueueKey<Value>) -> Value? {
    var next = QueueFrame.currentQueue ?? (MainThread.isCurrent ? .main : nil)
    while let queue = next {
      if let value = queue.getSpecific(key: key) { return value }
      next = queue.target
    }
    return nil
  }
}

extension WorkQueue {
  /// Has a global queue release what is kept here.
  func disposeOfSpecifics() {
    if attachments.look(\.specifics.isEmpty) { return }
    let remains = Remains()
    attachments.change { attachments in
      remains.values.withLock { swap(&$0, &attachments.specifics) }
    }
    WorkQueue.global().async { remains.letGo() }
  }
}

/// What a queue has kept; only `letGo` may be the last to have it.
private final class Remains: Sendable {
  let values = BargingLock<[ObjectIdentifier: any Sendable]>([:])

  func letGo() {
    _ = values.withLock { values in
      defer { values = [:] }
      return values
    }
  }
}

/// A value with its key, whose address must not be used again while it names a value.
private struct Kept<Value: Sendable>: Sendable {
  let key: QueueKey<Value>
  let value: Value
}
