/// A pointer that a program hangs on an object, and the function that disposes of it in the end.
///
/// The object's deinitializer asks for the disposal and has a queue run it.
@safe
package struct ObjectContext: @unchecked Sendable {
  /// A function that is called with a pointer.
  package typealias Function = @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// The pointer.
  package var pointer: UnsafeMutableRawPointer?
  /// What is called with the pointer in the end.
  package var finalizer: Function?

  /// Makes one without pointer and function.
  package init() {}

  /// What disposes of the pointer; nil without a pointer or without a finalizer.
  package var disposal: (@Sendable () -> Void)? {
    guard let finalizer = unsafe finalizer, unsafe pointer != nil else { return nil }
    let call = unsafe FunctionCall(context: pointer, function: finalizer)
    return { call() }
  }
}

/// A call of a C function that may happen on another thread.
///
/// Whether the context may be used there is the caller's affair, as it is in C.
@safe
struct FunctionCall: @unchecked Sendable {
  private let context: UnsafeMutableRawPointer?
  private let function: ObjectContext.Function

  init(context: UnsafeMutableRawPointer?, function: @escaping ObjectContext.Function) {
    unsafe self.context = context
    unsafe self.function = function
  }

  func callAsFunction() {
    unsafe function(context)
  }
}
