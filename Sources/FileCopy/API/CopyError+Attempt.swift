import IOChannelsSystem

/// Makes a system call, and throws its error as a problem of the copy with a path.
///
/// The path is composed only if the call fails.
func attempt<Value: ~Copyable>(
  _ problem: CopyProblem,
  _ path: @autoclosure () -> BytePath,
  _ call: @autoclosure () throws(SystemError) -> Value
) throws(CopyError) -> Value {
  do throws(SystemError) {
    return try call()
  } catch {
    throw CopyError(problem, path(), error)
  }
}
