/// An object with a target queue, whose work or handlers can be stopped for a time.
///
/// A function that takes a `DispatchObject` takes `any SuspendableObject` here. Queues, event
/// sources and channels conform to it (<doc:Rules#S221>). Groups and semaphores run nothing, so
/// they do not.
public protocol SuspendableObject: AnyObject, Sendable {
  /// Prevents further work from starting until `resume` was called as often as `suspend`.
  func suspend()

  /// Ends one suspension.
  func resume()

  /// Starts an object that was created inactive; on others it has no effect.
  func activate()

  /// Sets the queue on which the object's work runs, nil for a default of the object.
  func setTarget(queue: WorkQueue?)
}

extension WorkQueue: SuspendableObject {}
