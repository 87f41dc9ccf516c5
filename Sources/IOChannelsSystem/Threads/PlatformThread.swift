internal import CIOChannelsSystem

/// Threads of the kernel.
package enum PlatformThread {
  /// Starts a detached thread that runs `body` and ends.
  ///
  /// The thread blocks every signal but those that a fault of its own raises, so that a signal's
  /// handler never runs on it. The mask of the thread that starts it has no effect (S165). Of the
  /// name, which debuggers and `/proc` show, the kernel keeps the first 15 bytes.
  ///
  /// A thread inherits its place among others from the one that starts it; a lowered thread's own
  /// place is not passed on: another thread starts for it.
  ///
  /// - Throws: `EAGAIN` when the system or a limit allows no further thread.
  package static func start(
    name: String,
    body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    if isLowered && ThreadStarter.shared.isThere {
      try ThreadStarter.shared.start(name: name, body: body)
    } else {
      try startHere(name: name, body: body)
    }
  }

  /// Starts a thread that inherits the calling thread's place.
  static func startHere(
    name: String,
    body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    let start = unsafe Unmanaged.passRetained(
      ThreadStart(name: name, isLowered: isLowered, body: body)
    )
    let result = unsafe csys_thread_start(
      { context in
        guard let context = unsafe context else { return nil }
        let start = unsafe Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue()
        csys_thread_set_mask(false)
        unsafe csys_thread_name(start.name)
        if start.isLowered { csys_thread_note_lowered() }
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

  /// Unblocks `SIGPIPE` and `SIGPROF` for the calling thread, which is to run code of the program.
  ///
  /// Children that the code starts inherit the thread's mask. One that has `SIGPIPE` blocked would
  /// not end when its reader does.
  package static func prepareForUserCode() { csys_thread_set_mask(true) }

  /// A number that no other living thread has; it is never 0 and costs no system call.
  @inline(__always)
  package static var currentToken: UInt64 { csys_thread_token() }

  /// Whether the calling thread is the one that the process began with.
  package static var isMain: Bool { csys_thread_is_main() }

  /// The descriptor that is readable while Swift's main actor has work for the main thread, nil
  /// where its executor has none.
  package static var mainActorDescriptor: BorrowedDescriptor? {
    let number = csys_main_actor_descriptor()
    return number < 0 ? nil : BorrowedDescriptor(rawValue: number)
  }

  /// A word of the calling thread's own, nil at first, in which a queue notes what it runs.
  @inline(__always)
  package static var queueFrame: UnsafeRawPointer? {
    get { unsafe csys_queue_frame_get() }
    set { unsafe csys_queue_frame_set(newValue) }
  }

  /// The kernel's number of the calling thread.
  package static var currentNumber: Int32 { csys_thread_number() }

  /// Whether a thread of this process is neither running nor ready to run.
  ///
  /// - Returns: True also when the kernel does not show the thread.
  package static func isBlocked(number: Int32) -> Bool {
    csys_thread_state(number) != CChar(UInt8(ascii: "R"))
  }
}

/// What a new thread is handed.
private final class ThreadStart: Sendable {
  let name: String
  /// Whether the thread that starts this one was lowered.
  let isLowered: Bool
  let body: @Sendable () -> Void

  init(name: String, isLowered: Bool, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.isLowered = isLowered
    self.body = body
  }
}
