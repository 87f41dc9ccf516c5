internal import IOChannelsLocks

extension EventSource {
  /// A pointer of the program's, nil at first.
  public final var context: UnsafeMutableRawPointer? {
    get { unsafe core.context.read(\.self).pointer }
    set { core.context.change { unsafe $0.pointer = newValue } }
  }

  /// Sets the function that frees the context after the source has gone.
  ///
  /// It runs on the source's queue after the cancel handler, and not at all without a context.
  public final func setFinalizer(_ function: WorkQueue.Function?) {
    core.context.change { unsafe $0.finalizer = function }
  }
}
