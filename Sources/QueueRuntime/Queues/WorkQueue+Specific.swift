internal import IOChannelsLocks

/// A key under which queues store values of one type.
///
/// As in Dispatch, the type of the values need not be `Sendable` (<doc:Rules#S221>). Several
/// threads may use a value at the same time, and a global queue releases it. The program must
/// ensure that this is safe.
public final class QueueKey<Value> {
  /// Creates a key that equals no other.
  public init() {}
}

extension QueueKey: Sendable where Value: Sendable {}

extension WorkQueue {
  /// Stores a value under a key, or removes it with nil.
  ///
  /// The old value is released before this returns. Values that remain when the queue is released
  /// are released on a global queue, because the last reference may be on any thread.
  public func setSpecific<Value>(key: QueueKey<Value>, value: Value?) {
    // The old value is the closure's result, so it is released outside of the lock.
    _ = attachments.change { attachments in
      let old = attachments.specifics[ObjectIdentifier(key)]
      attachments.specifics[ObjectIdentifier(key)] = value.map { KeyedValue(key: key, value: $0) }
      return old
    }
  }

  /// Returns the value that this queue itself stores under a key.
  public func getSpecific<Value>(key: QueueKey<Value>) -> Value? {
    let found = attachments.read { $0.specifics[ObjectIdentifier(key)] }
    return (found as? KeyedValue<Value>)?.value
  }

  /// Returns the value under a key of the current queue, otherwise of the nearest target that has
  /// one.
  ///
  /// On a thread that runs no work of a queue, the main thread counts as on the main queue, and so
  /// does a thread that runs work of Dispatch's main queue.
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
    if attachments.read(\.specifics.isEmpty) { return }
    let values = ReleasedValues()
    attachments.change { attachments in
      values.stored.withLock { swap(&$0, &attachments.specifics) }
    }
    WorkQueue.global().async { values.release() }
  }
}

/// The stored values of a queue that is gone; only `release` may hold the last reference.
private final class ReleasedValues: Sendable {
  let stored = BargingLock<[ObjectIdentifier: any Sendable]>([:])

  func release() {
    _ = stored.withLock { values in
      defer { values = [:] }
      return values
    }
  }
}

/// A value with its key, whose address must not be reused while it names a value.
///
/// It is `@unchecked Sendable` because the program ensures that threads may share the value.
private struct KeyedValue<Value>: @unchecked Sendable {
  let key: QueueKey<Value>
  let value: Value
}
