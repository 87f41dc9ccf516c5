/// A pointer that a program attaches to an object, and the finalizer for it.
///
/// The object's deinitializer takes the disposal and submits it to a queue.
@safe
package struct ObjectContext: @unchecked Sendable {
  /// A function that is called with a pointer.
  package typealias Function = @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// The pointer.
  package var pointer: UnsafeMutableRawPointer?
  /// The function that is called with the pointer in the end.
  package var finalizer: Function?
  /// The queue of the finalizer of an object without work; nil for the default global one.
  package var target: WorkQueue?

  /// Creates a context without a pointer and a function.
  package init() {}

  /// The closure that disposes of the pointer; nil without a pointer or without a finalizer.
  package var disposal: (@Sendable () -> Void)? {
    guard let finalizer = unsafe finalizer, unsafe pointer != nil else { return nil }
    let call = unsafe FunctionCall(context: pointer, function: finalizer)
    return { call() }
  }

  /// Submits the disposal to the target queue.
  package func dispose() {
    // In a child of a fork no thread exists to run it.
    guard let disposal, WorkerPool.shared.isOfThisProcess else { return }
    (target ?? .global()).async(execute: disposal)
  }
}

/// A call of a C function that may happen on another thread.
///
/// As in C, the caller must ensure that the context may be used there.
@safe
package struct FunctionCall: @unchecked Sendable {
  private let context: UnsafeMutableRawPointer?
  private let function: ObjectContext.Function

  /// Creates a call.
  package init(context: UnsafeMutableRawPointer?, function: @escaping ObjectContext.Function) {
    unsafe self.context = context
    unsafe self.function = function
  }

  /// Calls the function.
  package func callAsFunction() {
    unsafe function(context)
  }

  /// Submits the call to a queue, as work of a group if there is one.
  package func submit(
    to queue: WorkQueue,
    in group: WorkGroup? = nil,
    asBarrier isBarrier: Bool = false
  ) {
    group?.enter()
    let work: QueuedWork = if let group { .functionInGroup(self, group) } else { .function(self) }
    queue.add(work, isBarrier: isBarrier)
  }
}
