internal import IOChannelsLocks

extension EventSource {
  /// A pointer of the program's, nil at first.
  package final var context: UnsafeMutableRawPointer? {
    get { unsafe core.state.withLock { $0.context }.pointer }
    set { core.state.withLock { unsafe $0.context.pointer = newValue } }
  }

  /// Sets the function that frees the context after the source has gone.
  ///
  /// It runs on the source's queue after the cancel handler, and not at all without a context.
  package final func setFinalizer(_ function: WorkQueue.Function?) {
    core.state.withLock { unsafe $0.context.finalizer = function }
  }

  /// Whether the source was activated.
  package final var isActive: Bool { core.state.withLock { $0.life.isActive } }

  /// The context at the activation; before it, the context at this moment.
  package final var contextOfEvents: UnsafeMutableRawPointer? {
    unsafe core.state.withLock { $0.contextOfEvents ?? $0.context }.pointer
  }
}
