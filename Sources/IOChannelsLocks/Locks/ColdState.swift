/// A cold state under a lock: most objects never change it, and the first change allocates its
/// memory.
///
/// The interface can be inlined, so that other modules get specialised code for their state types.
@usableFromInline
package struct ColdState<State: Sendable>: ~Copyable, Sendable {
  @usableFromInline final class Changed: Sendable {
    @usableFromInline let state: BargingLock<State>

    @inlinable
    init(_ state: State) {
      self.state = BargingLock(state)
    }
  }

  @usableFromInline let initial: State
  @usableFromInline let changed = SetOnceReference<Changed>()

  /// Creates a state with its initial value.
  @inlinable
  package init(_ initial: State) {
    self.initial = initial
  }

  /// Reads the state while no thread changes it.
  @inlinable
  package func read<Result>(_ body: (State) -> sending Result) -> sending Result {
    guard let changed = changed.load() else { return body(initial) }
    return changed.state.withLock { body($0) }
  }

  /// Changes the state with exclusive access and returns the result of the closure.
  @inlinable
  package func change<Result>(_ body: (inout State) -> sending Result) -> sending Result {
    let changed = changed.load() ?? changed.storeIfNil(Changed(initial))
    return changed.state.withLock(body)
  }
}
