internal import Synchronization

/// A state under a lock that most objects never change; the first change allocates memory for it.
package struct RareState<State: Sendable>: ~Copyable, Sendable {
  private final class Changed: Sendable {
    let state: BargingLock<State>

    init(_ state: State) {
      self.state = BargingLock(state)
    }
  }

  private let initial: State
  private let changed = AtomicLazyReference<Changed>()

  /// Creates a state with its initial value.
  package init(_ initial: State) {
    self.initial = initial
  }

  /// Reads the state while no thread changes it.
  package func look<Result>(_ body: (State) -> sending Result) -> sending Result {
    guard let changed = changed.load() else { return body(initial) }
    return changed.state.withLock { body($0) }
  }

  /// Changes the state with exclusive access and returns the result of the closure.
  package func change<Result>(_ body: (inout State) -> sending Result) -> sending Result {
    let changed = changed.load() ?? changed.storeIfNil(Changed(initial))
    return changed.state.withLock(body)
  }
}
