internal import Synchronization
internal import IOChannelsSystem

/// An object that runs the closure of its first call only.
///
/// Calls on other threads wait until it has run.
///
/// Use a static or global constant for one-time work of a program, and `Once` for one-time work of
/// an object.
public final class Once: Sendable {
  private enum State {
    static let fresh: UInt32 = 0
    static let running: UInt32 = 1
    /// The closure is running, and threads may be parked.
    static let awaited: UInt32 = 2
    static let done: UInt32 = 3
  }

  private let state = Atomic<UInt32>(State.fresh)
  /// The thread that runs the closure.
  private let runner = Atomic<UInt64>(0)

  /// Creates an object whose closure has not run.
  public init() {}

  /// Runs the closure if this is the first call; other calls return when the closure has run.
  ///
  /// After that, a call costs one atomic load.
  ///
  /// - Precondition: The closure does not call `perform` of the same object.
  @inline(__always)
  public func perform(_ body: () -> Void) {
    if state.load(ordering: .acquiring) != State.done { performSlowly(body) }
  }

  private func performSlowly(_ body: () -> Void) {
    let (isFirst, _) = state.compareExchange(
      expected: State.fresh,
      desired: State.running,
      successOrdering: .acquiring,
      failureOrdering: .acquiring
    )
    guard isFirst else { return waitForRunner() }
    runner.store(PlatformThread.currentToken, ordering: .relaxed)
    body()
    runner.store(0, ordering: .relaxed)
    if state.exchange(State.done, ordering: .acquiringAndReleasing) == State.awaited {
      state.unpark(.max)
    }
  }

  private func waitForRunner() {
    requireUse(
      runner.load(ordering: .relaxed) != PlatformThread.currentToken,
      "What runs once would wait for itself.",
      "S88"
    )
    while true {
      switch state.load(ordering: .acquiring) {
      case State.done:
        return
      case State.awaited:
        state.park(while: State.awaited)
      default:
        _ = state.compareExchange(
          expected: State.running,
          desired: State.awaited,
          ordering: .relaxed
        )
      }
    }
  }
}
