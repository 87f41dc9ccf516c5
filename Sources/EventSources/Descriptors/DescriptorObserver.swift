/// The direction in which a source waits for a descriptor.
enum TransferDirection: Sendable {
  case read
  case write

  /// A literal would be built again for each event, by unspecialised code.
  private static let readableOrEnded: ReadinessEvents = [.readable, .readHangUp]

  /// The states that the kernel's list waits for, besides those that it always reports.
  ///
  /// The end of a peer's data is not among them for writing: it does not make room.
  var events: ReadinessEvents {
    switch self {
    case .read: Self.readableOrEnded
    case .write: .writable
    }
  }
}

/// Asks the kernel what can be transferred on a descriptor at this moment.
struct DescriptorObserver: Sendable {
  private enum Kind {
    /// A regular file, read from its position.
    case regular
    /// A file of the kernel's own, as a message queue.
    case uncounted
    case pipe
    /// A socket without messages.
    case stream
    /// A socket with messages, which may be empty.
    case messages
    /// A device or another file of which the kernel may count the bytes.
    case other

    var isSocket: Bool { self == .stream || self == .messages }
  }

  let descriptor: BorrowedDescriptor
  let direction: TransferDirection
  private let kind: Kind
  /// Whether the kernel's list refused the descriptor because it never blocks.
  let isAlwaysReady: Bool

  /// Looks at the kind of a descriptor.
  ///
  /// A message queue has the mode of a regular file, so the mode alone does not identify it.
  init(_ descriptor: BorrowedDescriptor, _ direction: TransferDirection, isAlwaysReady: Bool) {
    self.descriptor = descriptor
    self.direction = direction
    self.isAlwaysReady = isAlwaysReady
    kind =
      switch try? descriptor.status().kind {
      case .regular: isAlwaysReady ? .regular : .uncounted
      case .fifo: .pipe
      case .socket: descriptor.isStreamSocket ? .stream : .messages
      default: .other
      }
  }

  /// A Boolean value that indicates whether the descriptor is a regular file at its end that may
  /// grow.
  var mayGrow: Bool { kind == .regular && direction == .read }

  /// Returns what a call of the handler reports, nil if nothing can be transferred.
  func report() -> DescriptorReport? {
    direction == .read ? reading() : writing()
  }

  private func reading() -> DescriptorReport? {
    switch kind {
    case .regular:
      return .reading(fileWithBytesLeft: bytesLeft)
    case .uncounted:
      return .reading(uncountedFileWith: states)
    case .pipe, .stream, .messages, .other:
      let bytes = countedBytes
      // Where bytes wait the states make no difference.
      if let bytes, bytes > 0 { return .reading(bytes: bytes, states: .readable) }
      return readingWithoutBytes()
    }
  }

  /// Returns the report of a descriptor of which the kernel counted no bytes before.
  private func readingWithoutBytes() -> DescriptorReport? {
    // The bytes are counted after the states, for bytes that arrive between two questions are no
    // end.
    let states = states
    let bytes = countedBytes
    let report = DescriptorReport.reading(bytes: bytes, states: states, isSocket: kind.isSocket)
    guard let report, report.data == 0, !report.isLast else { return report }
    switch kind {
    case .stream, .messages: return readingSocketWithoutCount()
    // Another reader has taken the bytes.
    case .pipe: return nil
    // The end that was typed at a terminal.
    default: return report
    }
  }

  /// Returns the report of a socket that is readable and counts no bytes; nil if another reader has
  /// taken them.
  ///
  /// The next message may be empty. On a stream the position may be at TCP's urgent mark, where the
  /// kernel counts no bytes. A call that peeks would take an error of the socket (S320).
  private func readingSocketWithoutCount() -> DescriptorReport? {
    let states = states
    guard states.contains(.readable) else { return nil }
    let least = kind == .stream || states.contains(.failed) ? 1 : 0
    return DescriptorReport(max(least, countedBytes ?? 1))
  }

  /// The bytes of a regular file behind its position.
  private var bytesLeft: Int {
    guard let size = try? descriptor.status().size, let position = try? descriptor.position()
    else { return 0 }
    return Int(clamping: size - position)
  }

  /// The bytes or connections that wait, nil if the kernel does not count them.
  private var countedBytes: Int? {
    do throws(SystemError) {
      return try descriptor.readableBytes()
    } catch {
      switch error {
      case .invalidArgument:
        let connections = try? descriptor.waitingConnections()
        return connections.flatMap { $0 > 0 ? $0 : nil }
      // A terminal without its master has nothing to read.
      case .ioError: return 0
      default: return nil
      }
    }
  }

  private func writing() -> DescriptorReport? {
    .writing(room: try? descriptor.writableBytes(), states: states, isSocket: kind.isSocket)
  }

  private var states: ReadinessEvents {
    // A descriptor that cannot be asked was closed.
    (try? descriptor.readiness(direction.events)) ?? .invalid
  }
}
