internal import IOChannelsLocks

/// The receiving end of a channel of messages.
///
/// A port takes the place of a Mach port. It keeps the boundaries of messages, and each end is
/// notified when the other end was closed. The kernel keeps a bounded number of messages.
///
/// ```swift
/// let (port, sender) = try EventPort.makePair()
/// let source = EventSource.makePortReceiveSource(port: port, queue: queue)
/// source.setEventHandler {
///   while let message = try? port.receive() { handle(message) }
/// }
/// source.activate()
/// try sender.send([1, 2, 3])
/// ```
///
/// The port is closed when its last reference is released. A source that receives on the port keeps
/// a reference.
public final class EventPort: Sendable {
  private let descriptor: OwnedDescriptor
  /// Taken for the two calls that receive a message, so that a message gets its own length.
  private let receiving = BargingLock<Void>(())

  /// Creates a port and a sender for it.
  ///
  /// - Throws: `EMFILE`, `ENFILE` or `ENOMEM` if the system has no room.
  public static func makePair() throws(SystemError) -> (port: EventPort, sender: Sender) {
    let ends = try BorrowedDescriptor.messageSockets().release()
    return (
      EventPort(owning: OwnedDescriptor(owning: ends.first)),
      Sender(owning: OwnedDescriptor(owning: ends.second))
    )
  }

  /// Takes over one end of a pair of sockets of the type `SOCK_SEQPACKET`.
  public init(owning descriptor: consuming OwnedDescriptor) {
    self.descriptor = descriptor
  }

  /// The descriptor, which the port keeps; `exec` closes it.
  public var borrowed: BorrowedDescriptor { descriptor.borrowed }

  /// Takes the next message, without blocking.
  ///
  /// - Returns: The bytes of the message, nil if no message waits.
  /// - Throws: `EPIPE` if no message waits and all senders have gone (<doc:Rules#S205>).
  public func receive() throws(SystemError) -> [UInt8]? {
    let result = receiving.withLock { _ in
      Result { () throws(SystemError) in try receiveAlone() }
    }
    if case .failure(let error) = result, error == .resourceTemporarilyUnavailable { return nil }
    return try result.get()
  }

  /// Takes the next message; throws `EAGAIN` if none waits.
  private func receiveAlone() throws(SystemError) -> [UInt8] {
    while true {
      var message = [UInt8](repeating: 0, count: try borrowed.nextMessageLength())
      if !message.isEmpty {
        let count = try borrowed.receive(into: &message)
        return count == message.count ? message : Array(message.prefix(count))
      }
      // The end and an empty message look alike, but the latter goes away.
      let states = try borrowed.readiness(.readHangUp)
      let isOver = !states.isDisjoint(with: [.readHangUp, .hangUp])
      if isOver, try borrowed.readableBytes() == 0 { throw .brokenPipe }
      _ = try borrowed.receive(into: &message)
    }
  }
}

extension EventPort {
  /// A sending end of a port.
  ///
  /// It may be used on any thread and passed on. The end is closed with its last reference.
  public final class Sender: Sendable {
    private let descriptor: OwnedDescriptor

    /// Takes over one end of a pair of sockets of the type `SOCK_SEQPACKET`.
    public init(owning descriptor: consuming OwnedDescriptor) {
      self.descriptor = descriptor
    }

    /// The descriptor, which the sender keeps; `exec` closes it.
    ///
    /// A write source on it waits for room.
    public var borrowed: BorrowedDescriptor { descriptor.borrowed }

    /// Creates a sender of its own for the same port.
    ///
    /// - Throws: `EMFILE` if the system has no room.
    public func duplicate() throws(SystemError) -> Sender {
      Sender(owning: try borrowed.duplicateForWaiting())
    }

    /// Sends a message, without blocking and without `SIGPIPE`.
    ///
    /// - Throws: `EAGAIN` if the port has no room, `EPIPE` if the port has gone, `EMSGSIZE` for a
    ///   message that no port has room for, and `EINVAL` for an empty message.
    public func send(_ message: [UInt8]) throws(SystemError) {
      if message.isEmpty { throw .invalidArgument }
      do throws(SystemError) {
        _ = try borrowed.send(message)
      } catch {
        // The port has gone with messages that it had not received.
        throw error == .connectionReset ? .brokenPipe : error
      }
    }
  }
}
