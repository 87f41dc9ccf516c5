internal import CIOChannelsSystem

/// The readiness states of a descriptor (`poll`, `epoll`).
package struct ReadinessEvents: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Readiness for reading: a read does not block.
  package static let readable = Self(rawValue: CSYS_POLL_IN)
  /// Readiness for writing: a write does not block.
  package static let writable = Self(rawValue: CSYS_POLL_OUT)
  /// An exceptional state, such as that of a pressure trigger.
  package static let exceptional = Self(rawValue: CSYS_POLL_PRI)
  /// The end of the peer's data: it has shut down its writing half.
  package static let readHangUp = Self(rawValue: CSYS_POLL_RDHUP)
  /// The end of the connection by the peer; always reported.
  package static let hangUp = Self(rawValue: CSYS_POLL_HUP)
  /// An error of the descriptor; always reported.
  package static let failed = Self(rawValue: CSYS_POLL_ERR)
  /// The mark of a descriptor that is not open; reported by `poll` only.
  package static let invalid = Self(rawValue: CSYS_POLL_INVALID)
}

extension BorrowedDescriptor {
  /// Returns the current states of the descriptor, among `events` and those always reported.
  package func readiness(_ events: ReadinessEvents) throws(SystemError) -> ReadinessEvents {
    let found = try uninterrupted { csys_poll_now(rawValue, events.rawValue) }
    return ReadinessEvents(rawValue: UInt32(found))
  }

  /// Returns the number of bytes that a read would return, negative behind the end of a file.
  package func readableBytes() throws(SystemError) -> Int {
    try csys_readable_bytes(rawValue).get()
  }

  /// Returns the number of connections that a listening TCP socket can accept.
  ///
  /// - Throws: `EINVAL` for any other descriptor.
  package func waitingConnections() throws(SystemError) -> Int {
    try csys_waiting_connections(rawValue).get()
  }

  /// Whether the descriptor is a socket of the type `SOCK_STREAM`.
  package var isStreamSocket: Bool { csys_is_stream_socket(rawValue) }

  /// Returns an estimate of the bytes that a pipe or socket accepts without blocking.
  package func writableBytes() throws(SystemError) -> Int {
    try csys_writable_bytes(rawValue).get()
  }

  /// Returns a duplicate of the descriptor with `FD_CLOEXEC`.
  package func duplicateForWaiting() throws(SystemError) -> OwnedDescriptor {
    OwnedDescriptor(owning: Int32(try csys_duplicate_closing(rawValue).get()))
  }
}
