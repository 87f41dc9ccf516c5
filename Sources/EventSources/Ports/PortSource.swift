/// A source that calls its handler for the messages of a port, or when a port has gone.
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
public final class PortSource: EventSource, @unchecked Sendable {
  private enum End: Sendable {
    case receiving(EventPort)
    /// The number of the sender's descriptor. The producer keeps the sender.
    case watching(Int32)
  }

  private let end: End

  /// Creates a source that calls its handler while messages wait in a port.
  ///
  /// When all senders have gone, the messages that wait are reported first. One call with 0 then
  /// reports the end, and no call follows (<doc:Rules#S206>). The source keeps the port.
  public init(receivingOn port: EventPort, queue: WorkQueue? = nil) {
    end = .receiving(port)
    let producer = DescriptorProducer(port.borrowed, .read, keeping: port)
    super.init(core: SourceCore(target: queue, merging: .latest, producer: producer))
  }

  /// Creates a source that calls its handler once when the port of a sender has gone.
  ///
  /// The source keeps the sender until it is cancelled or dropped. Meanwhile the port has a sender.
  public init(watching sender: EventPort.Sender, queue: WorkQueue? = nil) {
    end = .watching(sender.borrowed.rawValue)
    let producer = PortDeathProducer(sender)
    super.init(core: SourceCore(target: queue, merging: .latest, producer: producer))
  }

  /// The number of bytes in all waiting messages, or the bits of ``sendEvents``; 0 outside of a
  /// call of the event handler.
  public var data: UInt { core.data }

  /// The events of the watched sender, empty outside of a call of the event handler.
  ///
  /// A source that receives has none.
  public var sendEvents: EventSource.PortSendEvent {
    if case .watching = end { .init(rawValue: core.data) } else { [] }
  }

  /// The events of a watched sender that the source reports, empty once it was cancelled.
  ///
  /// A source that receives has none.
  public var mask: EventSource.PortSendEvent {
    if case .watching = end, !isCancelled { .dead } else { [] }
  }

  /// The number of the descriptor.
  public var handle: UInt {
    switch end {
    case .receiving(let port): UInt(port.borrowed.rawValue)
    case .watching(let number): UInt(number)
    }
  }
}

extension EventSource {
  /// Events of a sender.
  public struct PortSendEvent: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Creates a set from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The port has gone: no message can be delivered any more.
    public static let dead = PortSendEvent(rawValue: 1)
  }

  /// Creates a source that calls its handler while messages wait in a port.
  public static func makePortReceiveSource(port: EventPort, queue: WorkQueue? = nil) -> PortSource {
    PortSource(receivingOn: port, queue: queue)
  }

  /// Creates a source that calls its handler once when the port of a sender has gone.
  ///
  /// - Precondition: The mask is `.dead`, the only event of a sender.
  public static func makePortSendSource(
    port: EventPort.Sender,
    eventMask: PortSendEvent = .dead,
    queue: WorkQueue? = nil
  ) -> PortSource {
    requireUse(eventMask == .dead, "A sender has no event but its port's death.", "S207")
    return PortSource(watching: port, queue: queue)
  }
}
