internal import CIOChannelsSystem
internal import QueueRuntime

// The pointers of a C program are those of Swift instances. The program owns a reference for each
// `create`, `copy` and `retain`, and ends it by `release`.

/// Returns the instance behind a pointer.
func instance(_ pointer: UnsafeMutableRawPointer) -> AnyObject {
  unsafe Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
}

/// Returns the queue behind a pointer, nil without a pointer.
func queueInstance(_ pointer: UnsafeMutableRawPointer?) -> WorkQueue? {
  guard let pointer = unsafe pointer else { return nil }
  return unsafe Unmanaged<WorkQueue>.fromOpaque(pointer).takeUnretainedValue()
}

/// Calls a function with the instance behind a pointer, which the caller keeps meanwhile.
///
/// It retains nothing, unlike `instance(_:)`.
@inline(__always)
func with<Object: AnyObject, Result>(
  _ pointer: UnsafeMutableRawPointer,
  as type: Object.Type,
  _ body: (Object) -> Result
) -> Result {
  unsafe Unmanaged<Object>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
}

/// Returns the pointer of an instance, with a reference for the C program.
func retained(_ object: AnyObject) -> UnsafeMutableRawPointer {
  unsafe Unmanaged.passRetained(object).toOpaque()
}

/// Returns the pointer of an instance that the C program borrows.
func borrowed(_ object: AnyObject) -> UnsafeMutableRawPointer {
  unsafe Unmanaged.passUnretained(object).toOpaque()
}

/// A function of a C program with a pointer and a function that releases the pointer.
@safe
final class OwnedCall: @unchecked Sendable {
  private let context: UnsafeMutableRawPointer?
  private let function: ObjectContext.Function
  private let release: ObjectContext.Function

  init(
    _ context: UnsafeMutableRawPointer?,
    _ function: @escaping ObjectContext.Function,
    release: @escaping ObjectContext.Function
  ) {
    unsafe self.context = context
    unsafe self.function = function
    unsafe self.release = release
  }

  deinit { unsafe release(context) }

  func callAsFunction() { unsafe function(context) }
}

/// Runs a function during which the message of a misuse begins with the name of a C function.
///
/// A queue ends the name before it runs code of the program.
@inline(__always)
func named<Result>(_ name: StaticString, _ body: () -> Result) -> Result {
  unsafe csys_call_name_set(name.utf8Start)
  defer { csys_call_name_set(nil) }
  return body()
}
