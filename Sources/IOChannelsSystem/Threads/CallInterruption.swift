internal import CIOChannelsSystem

/// Interruption of blocking system calls of other threads, with a reserved signal.
///
/// Threads of the library block the signal, except in `allowing(_:)`.
package enum CallInterruption {
  /// The reserved signal, 0 if none is reserved yet.
  package static var reservedSignal: Int32 { csys_interruption_reserved() }

  /// Runs `body`, whose blocking calls end with `EINTR` when another thread calls `send(to:)`.
  ///
  /// A signal sent before `body` starts has no effect on it.
  package static func allowing<Result>(_ body: () -> Result) -> Result {
    guard csys_interruption_signal() != 0 else { return body() }
    let wasBlocked = csys_interruption_allow()
    // If no thread can start, `body` runs on a thread of the program, which keeps its mask.
    defer { if wasBlocked { csys_interruption_forbid() } }
    return body()
  }

  /// Interrupts the system call of a thread of this process, if the thread is in `allowing(_:)`.
  ///
  /// A signal that arrives before the call starts has no effect, so the sender tries again.
  package static func send(to thread: Int32) {
    guard csys_interruption_signal() != 0 else { return }
    _ = csys_interruption_send(thread)
  }
}
