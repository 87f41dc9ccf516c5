internal import IOChannelsLocks

extension CountingSemaphore {
  /// The pointer attached to the semaphore, nil at first.
  package var context: UnsafeMutableRawPointer? {
    get { unsafe attachment.read { $0 }.pointer }
    set { attachment.change { unsafe $0.pointer = newValue } }
  }

  /// Sets the function that disposes of the context after the semaphore is released.
  ///
  /// Without a context it does not run.
  package func setFinalizer(_ function: ObjectContext.Function?) {
    attachment.change { unsafe $0.finalizer = function }
  }

  /// Sets the queue of the finalizer, nil for the default global one.
  package func setTarget(queue: WorkQueue?) {
    attachment.change { $0.target = queue }
  }
}
