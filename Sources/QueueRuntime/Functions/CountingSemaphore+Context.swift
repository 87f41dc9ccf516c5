internal import IOChannelsLocks

extension CountingSemaphore {
  /// The pointer attached to the semaphore, nil at first.
  package var context: UnsafeMutableRawPointer? {
    get { unsafe attachment.read { $0 }.pointer }
    set { attachment.change { unsafe $0.pointer = newValue } }
  }

  /// Sets the function that disposes of the context after the semaphore is released.
  ///
  /// It runs on the default global queue. Without a context it does not run.
  package func setFinalizer(_ function: ObjectContext.Function?) {
    attachment.change { unsafe $0.finalizer = function }
  }
}
