internal import IOChannelsLocks

/// A thread that waits for many descriptors.
///
/// A registration reports one event; the receiver rearms it for the next one. The thread `sources`
/// starts with the first registration and ends after 5 seconds without any. It blocks all signals
/// and runs no code of the program.
///
/// If a descriptor is registered twice, the second registration waits on a duplicate, which is
/// closed with it.
final class ReadinessList: Sendable {
  typealias ThreadStarter =
    @Sendable (String, @escaping @Sendable () -> Void) throws(SystemError) -> Void

  private let poll: any ReadinessPoll
  private let startThread: ThreadStarter
  private let state = BargingLock(ReadinessState<any ReadinessReceiver>())

  init(
    poll: any ReadinessPoll,
    startThread: @escaping ThreadStarter = PlatformThread.start(name:body:)
  ) {
    self.poll = poll
    self.startThread = startThread
  }

  /// The number of registrations.
  var count: Int { state.withLock { $0.count } }
}

/// The receiver of the events of one registration.
protocol ReadinessReceiver: AnyObject, Sendable {
  /// Notes that the descriptor is in some of the states; called on the thread `sources`.
  func ready(_ states: ReadinessEvents)
}

// MARK: - Registrations

extension ReadinessList {
  /// Waits for one event of a descriptor.
  ///
  /// The list keeps the receiver until the registration is removed.
  ///
  /// - Throws: `EPERM` for a file that is always ready; `EBADF`; `EAGAIN` where no thread can be
  ///   started; `ENOSPC`, `EMFILE` and `ENOMEM` where the system has no room.
  func register(
    _ descriptor: Int32,
    for events: ReadinessEvents,
    _ receiver: any ReadinessReceiver
  ) throws(SystemError) -> ReadinessToken {
    // The kernel's list changes under the lock. Otherwise two threads could change it in an order
    // in which a closed descriptor's successor is mistaken for it. The thread starts under it, so
    // that no other registration counts on a thread that cannot start.
    try state.withLock { state in
      Result { () throws(SystemError) in
        let token = state.reserve()
        do throws(SystemError) {
          let added = try add(descriptor, for: events, token)
          state.register(
            token,
            .init(
              descriptor: added.descriptor,
              isDuplicate: added.isDuplicate,
              receiver: receiver
            )
          )
          if state.needsThread() { try start(&state) }
          return token
        } catch {
          if let removed = state.remove(token) { release(removed, of: token) }
          throw error
        }
      }
    }.get()
  }

  /// Waits for one more event.
  ///
  /// - Returns: False if the program has closed the descriptor: no event arrives any more.
  @discardableResult
  func rearm(_ token: ReadinessToken, for events: ReadinessEvents) -> Bool {
    change(token) { poll, descriptor throws(SystemError) in
      try poll.rearm(descriptor, for: events, token: token.number)
    }
  }

  /// Reports the present state of a descriptor, and then each change of it until the next `rearm`.
  ///
  /// - Returns: False if the program has closed the descriptor: no event arrives any more.
  @discardableResult
  func awaitChanges(_ token: ReadinessToken, for events: ReadinessEvents) -> Bool {
    change(token) { poll, descriptor throws(SystemError) in
      try poll.awaitChanges(descriptor, for: events, token: token.number)
    }
  }

  private func change(
    _ token: ReadinessToken,
    _ body: (any ReadinessPoll, Int32) throws(SystemError) -> Void
  ) -> Bool {
    state.withLock { state in
      guard let registration = state.registration(token), !registration.isLost else { return false }
      do throws(SystemError) {
        try body(poll, registration.descriptor)
        return true
      } catch {
        state.lose(token)
        return false
      }
    }
  }

  /// Ends a registration: the kernel has released the descriptor when this returns.
  ///
  /// An event may be reported once more if the thread has taken it already.
  func remove(_ token: ReadinessToken) {
    // The receiver is released outside of the lock.
    let removed = state.withLock { state in
      let removed = state.remove(token)
      if let removed { release(removed, of: token) }
      if state.count == 0 { poll.scheduleIdleCheck() }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  private func release(
    _ registration: ReadinessState<any ReadinessReceiver>.Registration,
    of token: ReadinessToken
  ) {
    if !registration.isLost { poll.remove(registration.descriptor) }
    if registration.isDuplicate { poll.close(registration.descriptor) }
  }

  /// Adds a descriptor to the kernel's list, or a duplicate if another registration has it.
  private func add(
    _ descriptor: Int32,
    for events: ReadinessEvents,
    _ token: ReadinessToken
  ) throws(SystemError) -> (descriptor: Int32, isDuplicate: Bool) {
    do throws(SystemError) {
      try poll.add(descriptor, for: events, token: token.number)
      return (descriptor, false)
    } catch {
      guard error == .fileExists else { throw error }
    }
    let duplicate = try poll.duplicate(descriptor)
    do throws(SystemError) {
      try poll.add(duplicate, for: events, token: token.number)
      return (duplicate, true)
    } catch {
      poll.close(duplicate)
      throw error
    }
  }
}

// MARK: - The thread

extension ReadinessList {
  private func start(_ state: inout ReadinessState<any ReadinessReceiver>) throws(SystemError) {
    do throws(SystemError) {
      try startThread("sources") { self.serve() }
    } catch {
      state.startFailed()
      // A filter of system calls may refuse threads by `EPERM`, which means a file that is always
      // ready to the callers.
      throw .resourceTemporarilyUnavailable
    }
  }

  private func serve() {
    while true {
      do throws(SystemError) {
        switch try poll.next() {
        case .ready(let number, let states):
          let token = ReadinessToken(number: number)
          let registration = state.withLock { $0.registration(token) }
          // A duplicate of a closed descriptor may still report changes.
          if let registration, !registration.isLost { registration.receiver.ready(states) }
        case .idle:
          if state.withLock({ $0.ends() }) { return }
        }
      } catch {
        // Only a program that closes descriptors of others comes here. The sources stay silent.
        state.withLock { $0.startFailed() }
        return
      }
    }
  }
}

/// The readiness list of the process.
enum SharedReadinessList {
  private static let value = ProcessValue { () throws(SystemError) in
    ReadinessList(poll: try KernelReadinessPoll())
  }

  /// Returns it as ``ProcessValue/get()`` does.
  static func get() throws(SystemError) -> ReadinessList { try value.get() }
}
