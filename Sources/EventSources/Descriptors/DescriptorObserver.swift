/// The direction in which a source waits for a descriptor.
enum TransferDirection: Sendable {
  case read
  case write

  /// The states that the kernel's list waits for, besides those that it always reports.
  ///
  /// The end of a peer's data is not among them for writing: it does not make room.
  var events: ReadinessEvents {
    switch self {
    case .read: [.readable, .readHangUp]
    case .write: .writable
    }
  }
}

/// Asks the kernel what can be transferred on a descriptor at this moment.
struct DescriptorObserver: Sendable {
  private enum Kind {
    /// Bytes, connections or room are counted, or the kernel reports that it does not count.
    case counted
    /// A regular file, read from its position.
    case regular
    /// A file of the kernel's own, as a message queue.
    case uncounted
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
    let isRegular = (try? descriptor.status().kind) == .regular
    kind = isRegular ? (isAlwaysReady ? .regular : .uncounted) : .counted
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
      return .reading(fileWithBytesLeft: (try? descriptor.readableBytes()) ?? 0)
    case .uncounted:
      return .reading(uncountedFileWith: states)
    case .counted:
      let bytes = countedBytes
      // Where bytes wait the states make no difference.
      if let bytes, bytes > 0 { return .reading(bytes: bytes, states: .readable) }
      return .reading(bytes: bytes, states: states)
    }
  }

  /// The bytes or connections that wait, nil if the kernel does not count them.
  private var countedBytes: Int? {
    do throws(Errno) {
      return try descriptor.readableBytes()
    } catch {
      switch error {
      case .invalidArgument: return try? descriptor.waitingConnections()
      case .inappropriateIOCTLForDevice: return nil
      // A terminal without its master has nothing to count.
      default: return 0
      }
    }
  }

  private func writing() -> DescriptorReport? {
    .writing(room: try? descriptor.writableBytes(), states: states)
  }

  private var states: ReadinessEvents {
    // A descriptor that cannot be asked was closed.
    (try? descriptor.readiness(direction.events)) ?? .invalid
  }
}
