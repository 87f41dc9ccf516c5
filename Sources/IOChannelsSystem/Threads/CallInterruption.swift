internal import CIOChannelsSystem

/// Interrupts blocking system calls of other threads with a signal that is reserved for this.
///
/// Threads of the library block the signal, except in `allowing(_:)`.
package enum CallInterruption {
  /// The reserved signal, 0 while none is reserved.
  package static var reservedSignal: Int32 { csys_interruption_reserved() }

  /// Runs `body`, whose blocking calls end with `EINTR` when another thread calls `send(to:)`.
  ///
  /// A signal from before `body` has no effect on it.
  package static func allowing<Result>(_ body: () -> Result) -> Result {
    guard csys_interruption_signal() != 0 else { return body() }
    let wasBlocked = csys_interruption_allow()
    // Where no thread can be started, `body` runs on one of the program, which keeps its mask.
    defer { if wasBlocked { csys_interruption_forbid() } }
    return body()
  }

  /// Interrupts the call that a thread of this process makes, if the thread is in `allowing(_:)`.
  ///
  /// A signal that arrives before the call has begun interrupts nothing: the sender tries again.
  package static func send(to thread: Int32) {
    guard csys_interruption_signal() != 0 else { return }
    _ = csys_interruption_send(thread)
  }
}
