package import IOChannelsLocks

/// An object without work of its own to which a program attaches a pointer.
///
/// Its deinitializer submits the disposal of the pointer.
package protocol ContextHolder: AnyObject, Sendable {
  /// The pointer, its finalizer, and the finalizer's queue.
  var attachment: ColdState<ObjectContext> { get }
}

extension ContextHolder {
  /// The pointer attached to the object, nil at first.
  package var context: UnsafeMutableRawPointer? {
    get { unsafe attachment.read { $0 }.pointer }
    set { attachment.change { unsafe $0.pointer = newValue } }
  }

  /// Sets the function that disposes of the context after the object is released.
  ///
  /// Without a context it does not run.
  package func setFinalizer(_ function: ObjectContext.Function?) {
    attachment.change { unsafe $0.finalizer = function }
  }

  /// Sets the queue of the finalizer, nil for the default global one.
  package func setTarget(queue: WorkQueue?) {
    attachment.change { $0.target = queue }
  }

  /// Submits the disposal of the context; for the deinitializer.
  package func disposeOfContext() { attachment.read { $0 }.dispose() }
}

extension CountingSemaphore: ContextHolder {}
extension WorkGroup: ContextHolder {}
