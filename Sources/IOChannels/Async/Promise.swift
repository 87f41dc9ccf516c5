internal import IOChannelsLocks
import QueueRuntime

/// A promise: a value that is set once, and the one task that awaits it.
final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiter: CheckedContinuation<Value, Never>?
  }

  private let state = BargingLock(State())

  /// Sets the value, once.
  func set(_ value: Value) {
    let waiter = state.withLock { state in
      if state.waiter == nil { state.value = value }
      return state.waiter.take()
    }
    waiter?.resume(returning: value)
  }

  /// Waits for the value and removes it, once.
  func take() async -> Value {
    await withCheckedContinuation { continuation in
      let value = state.withLock { state in
        if state.value == nil { state.waiter = continuation }
        return state.value.take()
      }
      if let value { continuation.resume(returning: value) }
    }
  }
}
