internal import IOChannelsLocks

/// A pointer that a C program stores in a queue, with the function that disposes of it.
///
/// The function is called on the default global queue when the value is replaced or removed, or
/// when the queue is released.
@safe
package final class AddressedValue: Sendable {
  private let attached: ObjectContext

  /// Creates a value; `destructor` is nil for a pointer that needs no disposal.
  package init(_ pointer: UnsafeMutableRawPointer, destructor: ObjectContext.Function?) {
    var context = ObjectContext()
    unsafe context.pointer = pointer
    unsafe context.finalizer = destructor
    attached = context
  }

  deinit { attached.dispose() }

  /// The pointer.
  package var pointer: UnsafeMutableRawPointer? { unsafe attached.pointer }
}

extension WorkQueue {
  /// Stores a value of a C program under an address, or removes it with nil.
  ///
  /// Global queues ignore it.
  package func setSpecific(address: UInt, value: AddressedValue?) {
    if kind == .global { return }
    // The old value is the closure's result, so it is released outside of the lock.
    _ = attachments.change { attachments in
      let old = attachments.addressed[address]
      attachments.addressed[address] = value
      return old
    }
  }

  /// Returns the value that this queue itself stores under an address.
  package func specific(address: UInt) -> AddressedValue? {
    attachments.read { $0.addressed[address] }
  }

  /// Returns the value under an address of the current queue, otherwise of the nearest target that
  /// has one.
  package static func specific(address: UInt) -> AddressedValue? {
    var next = QueueFrame.currentQueue ?? (MainThread.isCurrent ? .main : nil)
    while let queue = next {
      if let value = queue.specific(address: address) { return value }
      next = queue.target
    }
    return nil
  }
}
