/// Runs a function in a task that the function can cancel at any place, once.
public func inTask<Value: Sendable>(
  _ body: @escaping @Sendable (_ cancel: @Sendable () async -> Void) async throws -> Value
) async throws -> Value {
  let (tasks, continuation) = AsyncStream<Task<Value, any Error>>.makeStream()
  let task = Task {
    try await body {
      for await task in tasks {
        task.cancel()
        break
      }
    }
  }
  continuation.yield(task)
  return try await task.value
}
