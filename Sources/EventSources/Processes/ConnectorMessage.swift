/// A message of the kernel's connector about processes.
///
/// The layout is that of `linux/netlink.h`, `linux/connector.h` and `linux/cn_proc.h`, in the byte
/// order of the machine, which is little-endian wherever this package runs.
enum ConnectorMessage: Equatable, Sendable {
  /// A process has created another one.
  case forked(parent: Int32, child: Int32)
  /// A process has started a program.
  case executed(Int32)
  /// The kernel has answered a request of this or another program, with an error other than 0 if it
  /// was refused.
  case acknowledged(request: UInt32, error: Int32)

  /// The offsets of the parts of a message.
  enum Offset {
    static let connector = 16
    static let event = 36
    static let details = 52
    /// The first process in the details of an event: of a fork, the parent.
    static let process = 56
    static let childThread = 60
    static let child = 64
  }

  /// The kinds of events.
  enum Kind {
    static let acknowledgement: UInt32 = 0
    static let fork: UInt32 = 1
    static let exec: UInt32 = 2
  }

  /// The type of a message that is complete, as the connector sends them.
  private static let doneType: UInt16 = 3

  /// Returns the messages in what one call has received, without those that mean nothing here.
  ///
  /// Bytes that are not a message end the list.
  static func messages(in bytes: ArraySlice<UInt8>) -> [ConnectorMessage] {
    var found: [ConnectorMessage] = []
    var rest = bytes
    while let word = rest.word(at: 0) {
      let length = Int(word)
      guard length >= Offset.connector, length <= rest.count else { break }
      if let message = ConnectorMessage(rest.prefix(length)) { found.append(message) }
      rest = rest.dropFirst((length + 3) & ~3)
    }
    return found
  }

  /// Reads one message; nil for one that means nothing here, or is cut off.
  private init?(_ message: ArraySlice<UInt8>) {
    guard
      message.halfWord(at: 4) == Self.doneType,
      message.word(at: Offset.connector) == 1,
      message.word(at: Offset.connector + 4) == 1,
      let acknowledgement = message.word(at: Offset.connector + 12),
      let length = message.halfWord(at: Offset.connector + 16)
    else { return nil }
    // Bytes after the stated length are not part of the event.
    let message = message.prefix(Offset.event + Int(length))
    guard message.count == Offset.event + Int(length) else { return nil }
    switch message.word(at: Offset.event) {
    case Kind.acknowledgement:
      guard let error = message.number(at: Offset.details) else { return nil }
      self = .acknowledged(request: acknowledgement &- 1, error: error)
    case Kind.fork:
      guard
        let parent = message.number(at: Offset.process),
        let thread = message.number(at: Offset.childThread),
        let child = message.number(at: Offset.child),
        // A new thread counts as the child of its process's parent.
        thread == child
      else { return nil }
      self = .forked(parent: parent, child: child)
    case Kind.exec:
      guard let process = message.number(at: Offset.process) else { return nil }
      self = .executed(process)
    default:
      return nil
    }
  }
}

extension ArraySlice<UInt8> {
  /// Returns the number of two bytes at an offset from the start, nil beyond the end.
  fileprivate func halfWord(at offset: Int) -> UInt16? {
    guard offset + 2 <= count else { return nil }
    let start = startIndex + offset
    return UInt16(self[start]) | UInt16(self[start + 1]) << 8
  }

  /// Returns the number of four bytes at an offset from the start, nil beyond the end.
  fileprivate func word(at offset: Int) -> UInt32? {
    guard let low = halfWord(at: offset), let high = halfWord(at: offset + 2) else { return nil }
    return UInt32(low) | UInt32(high) << 16
  }

  /// Returns the signed number of four bytes at an offset from the start, nil beyond the end.
  fileprivate func number(at offset: Int) -> Int32? {
    word(at: offset).map(Int32.init(bitPattern:))
  }
}
