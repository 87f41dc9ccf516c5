internal import IOChannelsLocks

/// A key under which queues store values of one type.
public final class QueueKey<Value: Sendable>: Sendable {
  /// Creates a key that equals no other.
  public init() {}
}

extension WorkQueue {
  /// Stores a value under a key, or removes it with nil.
  ///
  /// The old value is released before this returns. Values that remain when the queue is released
  /// are released on a global queue, because the last reference may be on any thread.
  public func setSpecific<Value>(key: QueueKey<Value>, value: Value?) {
    // The old value is the closure's result, so it is released outside of the lock.
    _ = attachments.change { attachments in
      let old = attachments.specifics[ObjectIdentifier(key)]
      attachments.specifics[ObjectIdentifier(key)] = value.map { Kept(key: key, value: $0) }
      return old
    }
  }

  /// Returns the value that this queue itself stores under a key.
  public func getSpecific<Value>(key: QueueKey<Value>) -> Value? {
    let found = attachments.look { $0.specifics[ObjectIdentifier(key)] }
    return (found as? Kept<Value>)?.value
  }

  /// Returns the value under a key of the current queue, otherwise of the nearest target that has
  /// one.
  ///
  /// On a thread that runs no work of a queue, the main thread counts as on the main queue.
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
  /// Submits the release of all stored values to a global queue.
  func disposeOfSpecifics() {
    if attachments.look(\.specifics.isEmpty) { return }
    let remains = Remains()
    attachments.change { attachments in
      remains.values.withLock { swap(&$0, &attachments.specifics) }
    }
    WorkQueue.global().async { remains.letGo() }
  }
}

/// The values of a released queue; only `letGo` may hold the last reference.
private final class Remains: Sendable {
  let values = BargingLock<[ObjectIdentifier: any Sendable]>([:])

  func letGo() {
    _ = values.withLock { values in
      defer { values = [:] }
      return values
    }
  }
}

/// A value with its key, whose address must not be reused while it names a value.
private struct Kept<Value: Sendable>: Sendable {
  let key: QueueKey<Value>
  let value: Value
}
