internal import IOChannelsLocks
package import QueueRuntime

extension IOChannel {
  /// The pointer attached to the channel, nil at first.
  package var context: UnsafeMutableRawPointer? {
    get { unsafe core.attachment.read { $0 }.pointer }
    set { core.attachment.change { unsafe $0.pointer = newValue } }
  }

  /// Sets the function that disposes of the context after the channel is released.
  ///
  /// It is called when the program has released the channel, its operations have ended and its
  /// cleanup handler was submitted. The function runs on the channel's target. Without a context it
  /// does not run.
  package func setFinalizer(_ function: WorkQueue.Function?) {
    core.attachment.change { unsafe $0.finalizer = function }
  }
}
