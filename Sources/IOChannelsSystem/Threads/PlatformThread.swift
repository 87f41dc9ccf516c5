internal import CIOChannelsSystem

/// Operations on kernel threads.
package enum PlatformThread {
  /// Starts a detached thread that runs `body` and ends.
  ///
  /// The thread blocks every signal except those of its own faults, so that it never runs a signal
  /// handler. The mask of the starting thread has no effect (S165). The kernel keeps the first 15
  /// bytes of the name, which debuggers and `/proc` show.
  ///
  /// A thread inherits the priority of its starting thread. If that priority was changed, another
  /// thread starts it, so that the change is not inherited.
  ///
  /// - Throws: `EAGAIN` if the system or a limit allows no further thread.
  package static func start(
    name: String,
    body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    if hasOwnPriority && ThreadStarter.shared.isThere {
      try ThreadStarter.shared.start(name: name, body: body)
    } else {
      try startHere(name: name, body: body)
    }
  }

  /// Starts a thread that inherits the calling thread's priority.
  static func startHere(
    name: String,
    body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    let start = unsafe Unmanaged.passRetained(
      ThreadStart(name: name, hasOwnPriority: hasOwnPriority, body: body)
    )
    let result = unsafe csys_thread_start(
      { context in
        guard let context = unsafe context else { return nil }
        let start = unsafe Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue()
        csys_thread_set_mask(false)
        unsafe csys_thread_name(start.name)
        if start.hasOwnPriority { csys_thread_note_priority() }
        start.body()
        return nil
      },
      start.toOpaque()
    )
    if result.error != 0 {
      unsafe start.release()
      throw SystemError(rawValue: result.error)
    }
  }

  /// Unblocks `SIGPIPE` and `SIGPROF` for the calling thread, before it runs code of the program.
  ///
  /// Child processes that the code starts inherit the mask. A child with `SIGPIPE` blocked would
  /// not end when its reader does.
  package static func prepareForUserCode() { csys_thread_set_mask(true) }

  /// A number that is unique among live threads and never 0.
  ///
  /// Reading it costs no system call.
  @inline(__always)
  package static var currentToken: UInt64 { csys_thread_token() }

  /// Whether the calling thread is the main thread.
  package static var isMain: Bool { csys_thread_is_main() }

  /// The kernel's number of the calling thread (`gettid`).
  package static var currentNumber: Int32 { csys_thread_number() }

  /// Whether a thread of this process is neither running nor ready to run.
  ///
  /// - Returns: True also if the kernel does not show the thread.
  package static func isBlocked(number: Int32) -> Bool {
    csys_thread_state(number) != CChar(UInt8(ascii: "R"))
  }
}

/// The arguments of a new thread.
private final class ThreadStart: Sendable {
  let name: String
  /// Whether the priority of the thread that starts this one was changed.
  let hasOwnPriority: Bool
  let body: @Sendable () -> Void

  init(name: String, hasOwnPriority: Bool, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.hasOwnPriority = hasOwnPriority
    self.body = body
  }
}
