internal import CIOChannelsSystem

/// The kernel's list of descriptors that are waited for (epoll).
package struct ReadinessQueue: ~Copyable, Sendable {
  /// One descriptor that has become ready, failed or lost its peer.
  package struct Event: Sendable {
    package let token: UInt64
    /// The states that the descriptor was found in.
    package let states: ReadinessEvents
  }

  private let descriptor: OwnedDescriptor

  package init() throws(SystemError) {
    descriptor = OwnedDescriptor(owning: Int32(try csys_epoll_create().get()))
  }

  /// Starts to wait for a descriptor that is not in the list yet, for one event if `once` is set.
  ///
  /// - Throws: `EPERM` for a file that is always ready.
  package func add(
    _ target: BorrowedDescriptor,
    forReading: Bool,
    once: Bool = false,
    token: UInt64
  ) throws(SystemError) {
    let events = (forReading ? CSYS_EPOLLIN : CSYS_EPOLLOUT) | (once ? CSYS_EPOLLONESHOT : 0)
    let added = csys_epoll_ctl(
      descriptor.rawValue,
      CSYS_EPOLL_CTL_ADD,
      target.rawValue,
      events,
      token
    )
    _ = try added.get()
  }

  /// Starts to wait for one event of a descriptor that is not in the list yet.
  ///
  /// - Throws: `EPERM` for a file that is always ready, `EEXIST` if the descriptor is in the list.
  package func add(
    _ target: BorrowedDescriptor,
    for events: ReadinessEvents,
    token: UInt64
  ) throws(SystemError) {
    _ = try csys_epoll_ctl(
      descriptor.rawValue,
      CSYS_EPOLL_CTL_ADD,
      target.rawValue,
      events.rawValue | CSYS_POLL_ONESHOT,
      token
    ).get()
  }

  /// Waits for one more event of a descriptor in the list.
  ///
  /// - Throws: `ENOENT` or `EBADF` if the descriptor was closed.
  package func rearm(
    _ target: BorrowedDescriptor,
    for events: ReadinessEvents,
    token: UInt64
  ) throws(SystemError) {
    _ = try csys_epoll_ctl(
      descriptor.rawValue,
      CSYS_EPOLL_CTL_MOD,
      target.rawValue,
      events.rawValue | CSYS_POLL_ONESHOT,
      token
    ).get()
  }

  /// Stops to wait; unknown descriptors are passed over.
  package func remove(_ target: BorrowedDescriptor) {
    _ = csys_epoll_ctl(descriptor.rawValue, CSYS_EPOLL_CTL_DEL, target.rawValue, 0, 0)
  }

  /// Waits without end for the next event.
  package func next() throws(SystemError) -> Event {
    while true {
      if let event = try next(within: -1) { return event }
    }
  }

  /// Waits for the next event, at most so many milliseconds; a negative number has no end.
  ///
  /// - Returns: Nil when the time is up, and sometimes earlier.
  package func next(within milliseconds: Int32) throws(SystemError) -> Event? {
    let answer = csys_epoll_wait(descriptor.rawValue, milliseconds)
    if answer.count == 1 {
      return Event(token: answer.token, states: ReadinessEvents(rawValue: answer.events))
    }
    if answer.error != 0, answer.error != SystemError.interrupted.rawValue {
      throw SystemError(rawValue: answer.error)
    }
    return nil
  }
}
