import IOChannelsSystem

/// Makes a system call, and throws its error as a problem of the copy with a path.
///
/// The paths are composed only if the call fails.
func attempt<Value: ~Copyable>(
  _ problem: CopyError.Problem,
  _ path: @autoclosure () -> BytePath,
  other: @autoclosure () -> BytePath? = nil,
  _ call: @autoclosure () throws(SystemError) -> Value
) throws(CopyError) -> Value {
  do throws(SystemError) {
    return try call()
  } catch {
    throw CopyError(problem, path(), other: other(), error)
  }
}
