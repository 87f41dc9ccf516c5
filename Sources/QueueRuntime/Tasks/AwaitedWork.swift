internal import IOChannelsLocks

/// A closure whose result one task awaits; it does not run if the task is cancelled before.
package final class AwaitedWork<Value: Sendable>: Sendable {
  private typealias Body = @Sendable () throws -> Value

  private struct State {
    var body: Body?
    /// Whether the closure has started, or will never start.
    var isClaimed = false
    var result: Result<Value, any Error>?
  }

  private let state: BargingLock<State>
  private let wait = TaskWait()

  /// Creates work from a closure.
  package init(_ body: @escaping @Sendable () throws -> Value) {
    state = BargingLock(State(body: body))
  }

  /// Submits the work and awaits its result; called once.
  ///
  /// - Parameter submit: Submits the given closure to a queue; not called in a cancelled task.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure, or `CancellationError` if the task was cancelled before
  ///   the closure started.
  package func result(
    submit: (@escaping @Sendable () -> Void) -> Void
  ) async throws -> Value {
    if Task.isCancelled { throw CancellationError() }
    // A closure that will not run is released by this task, not by the thread that cancels it.
    defer { _ = state.withLock { $0.body.take() } }
    submit { [self] in run() }
    _ = try await wait.result(until: .distantFuture) { [self] in claim() }
    guard let result = state.withLock({ $0.result.take() }) else {
      stop(saying: "A wait ends with its event after the result is stored.")
    }
    return try result.get()
  }

  private func run() {
    guard claim(), let body = state.withLock({ $0.body.take() }) else { return }
    let result = Self.call(consume body)
    state.withLock { $0.result = result }
    wait.end(.event)
  }

  private func claim() -> Bool {
    state.withLock { state in
      if state.isClaimed { return false }
      state.isClaimed = true
      return true
    }
  }

  /// Consumes and calls a closure, so that its captures are released when this returns (S82).
  private static func call(_ body: consuming @escaping Body) -> Result<Value, any Error> {
    do {
      return .success(try body())
    } catch {
      return .failure(error)
    }
  }
}
