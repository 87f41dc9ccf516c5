/// The data of one call of a read or write source's handler.
struct DescriptorReport: Equatable, Sendable {
  /// The bytes that can be read or written, as far as the kernel counts them.
  let data: UInt
  /// Whether this is the last call: the peer has gone, or the file has ended.
  let isLast: Bool
  /// Whether an error of a socket is the only reason, and nothing can be read or written.
  let isErrorAlone: Bool

  init(_ data: Int, isLast: Bool = false, isErrorAlone: Bool = false) {
    self.data = UInt(max(0, data))
    self.isLast = isLast
    self.isErrorAlone = isErrorAlone
  }
}

extension DescriptorReport {
  /// Returns the report of a descriptor that is to be read.
  ///
  /// Bytes that wait are reported before the end. One call with 0 reports the end (S187).
  ///
  /// - Parameters:
  ///   - bytes: The bytes that a read returns, nil if the kernel does not count them.
  ///   - states: The states of the descriptor.
  ///   - isSocket: Whether it is a socket, of which an error alone is no end.
  /// - Returns: Nil if the descriptor cannot be read.
  static func reading(
    bytes: Int?,
    states: ReadinessEvents,
    isSocket: Bool = false
  ) -> DescriptorReport? {
    if let bytes, bytes > 0 { return DescriptorReport(bytes) }
    let isReadable = states.contains(.readable)
    if isSocket, states.contains(.failed),
      states.isDisjoint(with: [.hangUp, .invalid, .readHangUp])
    {
      // A refused datagram, or a message in the error queue: the socket stays usable.
      return DescriptorReport(1, isErrorAlone: !isReadable)
    }
    var isLast = !states.isDisjoint(with: [.hangUp, .invalid])
    if bytes == nil {
      // A device that lost messages has an error and can be read nevertheless.
      isLast = isLast || states.contains(.failed) && !isReadable
      return isLast || isReadable ? DescriptorReport(isReadable ? 1 : 0, isLast: isLast) : nil
    }
    isLast = isLast || !states.isDisjoint(with: [.failed, .readHangUp])
    // An empty datagram counts as readable, has no bytes and is no end.
    return isLast || isReadable ? DescriptorReport(0, isLast: isLast) : nil
  }

  /// Returns the report of a file of the kernel's own, whose count of bytes has no meaning.
  static func reading(uncountedFileWith states: ReadinessEvents) -> DescriptorReport? {
    let isLast = !states.isDisjoint(with: [.hangUp, .failed, .invalid])
    if isLast { return DescriptorReport(0, isLast: true) }
    return states.contains(.readable) ? DescriptorReport(1) : nil
  }

  /// Returns the report of a regular file that is read from its position.
  static func reading(fileWithBytesLeft bytes: Int) -> DescriptorReport {
    DescriptorReport(bytes, isLast: bytes <= 0)
  }

  /// Returns the report of a descriptor that is to be written.
  ///
  /// One call reports a lost reader, so that the write gets its error (S187).
  ///
  /// - Parameters:
  ///   - room: The bytes that the kernel accepts at once, nil if it does not count them.
  ///   - states: The states of the descriptor.
  ///   - isSocket: Whether it is a socket, of which an error alone is no end.
  /// - Returns: Nil if the descriptor cannot be written.
  static func writing(
    room: Int?,
    states: ReadinessEvents,
    isSocket: Bool = false
  ) -> DescriptorReport? {
    let ends: ReadinessEvents = isSocket ? [.hangUp, .invalid] : [.hangUp, .failed, .invalid]
    let isLast = !states.isDisjoint(with: ends)
    guard isLast || !states.isDisjoint(with: [.writable, .failed]) else { return nil }
    let isErrorAlone = !isLast && !states.contains(.writable)
    return DescriptorReport(max(1, room ?? 1), isLast: isLast, isErrorAlone: isErrorAlone)
  }
}
