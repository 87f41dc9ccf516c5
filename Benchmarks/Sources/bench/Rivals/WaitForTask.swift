import Dispatch

/// Runs a task and blocks the calling thread until its end.
func waitForTask<Result: Sendable>(
  _ body: @escaping @Sendable () async throws -> Result
) throws -> Result {
  let box = Box<Result>()
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do {
      box.result = .success(try await body())
    } catch {
      box.result = .failure(error)
    }
    done.signal()
  }
  done.wait()
  guard let result = box.result else { throw CommandFailure(description: "no result of a task") }
  return try result.get()
}

/// A result that the task has written when the waiting thread resumes.
private final class Box<Value>: @unchecked Sendable {
  var result: Swift.Result<Value, any Error>?
}
