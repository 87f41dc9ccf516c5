internal import CIOChannelsSystem

/// An `epoll` instance: the kernel's list of awaited descriptors.
package struct ReadinessQueue: ~Copyable, Sendable {
  /// A descriptor that has become ready, failed or lost its peer.
  package struct Event: Sendable {
    package let token: UInt64
    /// The states of the descriptor.
    package let states: ReadinessEvents
  }

  private let descriptor: OwnedDescriptor

  package init() throws(SystemError) {
    descriptor = OwnedDescriptor(owning: Int32(try csys_epoll_create().get()))
  }

  /// Adds a descriptor to the list, for one event if `once` is set.
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

  /// Adds a descriptor to the list, for one event.
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

  /// Awaits one more event of a descriptor in the list.
  ///
  /// - Throws: `ENOENT` or `EBADF` if the descriptor was closed.
  package func rearm(
    _ target: BorrowedDescriptor,
    for events: ReadinessEvents,
    token: UInt64
  ) throws(SystemError) {
    try change(target, to: events.rawValue | CSYS_POLL_ONESHOT, token)
  }

  /// Awaits the present state of a descriptor in the list, and then each change of it.
  ///
  /// - Throws: `ENOENT` or `EBADF` if the descriptor was closed.
  package func awaitChanges(
    _ target: BorrowedDescriptor,
    for events: ReadinessEvents,
    token: UInt64
  ) throws(SystemError) {
    try change(target, to: events.rawValue | CSYS_POLL_EDGE, token)
  }

  private func change(
    _ target: BorrowedDescriptor,
    to events: UInt32,
    _ token: UInt64
  ) throws(SystemError) {
    _ = try csys_epoll_ctl(
      descriptor.rawValue,
      CSYS_EPOLL_CTL_MOD,
      target.rawValue,
      events,
      token
    ).get()
  }

  /// Removes a descriptor from the list, if it is there.
  package func remove(_ target: BorrowedDescriptor) {
    _ = csys_epoll_ctl(descriptor.rawValue, CSYS_EPOLL_CTL_DEL, target.rawValue, 0, 0)
  }

  /// Waits for the next event without a timeout.
  package func next() throws(SystemError) -> Event {
    while true {
      if let event = try next(within: -1) { return event }
    }
  }

  /// Waits for the next event, with a timeout unless `milliseconds` is negative.
  ///
  /// - Returns: Nil after the timeout, and sometimes earlier.
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
