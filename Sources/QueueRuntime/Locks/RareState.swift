internal import Synchronization

/// A state under a lock that most objects never change: only the first change takes memory for it.
package struct RareState<State: Sendable>: ~Copyable, Sendable {
  private final class Changed: Sendable {
    let state: BargingLock<State>

    init(_ state: State) {
      self.state = BargingLock(state)
    }
  }

  private let initial: State
  private let changed = AtomicLazyReference<Changed>()

  /// Makes a state that nobody has changed.
  package init(_ initial: State) {
    self.initial = initial
  }

  /// Looks at the state while nobody changes it.
  package func look<Result>(_ body: (State) -> sending Result) -> sending Result {
    guard let changed = changed.load() else { return body(initial) }
    return changed.state.withLock { body($0) }
  }

  /// Changes the state with nobody else inside and returns what the closure returns.
  package func change<Result>(_ body: (inout State) -> sending Result) -> sending Result {
    let changed = changed.load() ?? changed.storeIfNil(Changed(initial))
    return changed.state.withLock(body)
  }
}
