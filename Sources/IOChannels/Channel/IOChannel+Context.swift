public import QueueRuntime

extension IOChannel {
  /// The pointer that was hung on the channel, nil at first.
  public var context: UnsafeMutableRawPointer? {
    get { unsafe core.attachment.look { $0 }.pointer }
    set { core.attachment.change { unsafe $0.pointer = newValue } }
  }

  /// Sets the function that disposes of the context after the channel has gone.
  ///
  /// The channel goes when nobody holds it, its operations are done and its cleanup handler was
  /// submitted. The function runs on the channel's target, and not at all without a context (S140).
  public func setFinalizer(_ function: WorkQueue.Function?) {
    core.attachment.change { unsafe $0.finalizer = function }
  }
}
