/// A source that calls its handler while a descriptor can be read.
///
/// ```swift
/// let source = EventSource.makeReadSource(fileDescriptor: socket, queue: queue)
/// source.setEventHandler { [weak source] in
///   guard let source else { return }
///   if source.data == 0 { return source.cancel() }
///   receive(source.data)
/// }
/// source.setCancelHandler { close(socket) }
/// source.activate()
/// ```
///
/// The handler is called again as long as bytes wait. Bytes that arrived before a hang-up are
/// reported first. One call with 0 then reports the end of the data, and no call follows
/// (<doc:Rules#S187>). The descriptor must stay open until the cancel handler runs.
public final class ReadSource: EventSource, @unchecked Sendable {
  private let descriptor: Int32

  /// Creates a source for a descriptor of any kind.
  ///
  /// A descriptor that is not open gives a source without events, whose
  /// ``EventSource/registrationError`` is `EBADF`.
  ///
  /// - Precondition: The number is not negative.
  public init(fileDescriptor: Int32, queue: WorkQueue? = nil) {
    descriptor = EventSource.checked(fileDescriptor)
    let producer = DescriptorProducer(BorrowedDescriptor(rawValue: fileDescriptor), .read)
    super.init(core: SourceCore(target: queue, merging: .latest, producer: producer))
  }

  /// The number of the descriptor.
  public var handle: UInt { UInt(descriptor) }

  /// The bytes that can be read, an estimate; 0 outside of a call of the event handler
  /// (<doc:Rules#S186>).
  ///
  /// For a listening TCP socket it is the number of connections that can be accepted. It is 1 where
  /// the kernel does not count bytes. 0 is the end of the data, or an empty datagram.
  public var data: UInt { core.data }
}

extension EventSource {
  /// Creates a source that calls its handler while a descriptor can be read.
  public static func makeReadSource(
    fileDescriptor: Int32,
    queue: WorkQueue? = nil
  ) -> ReadSource {
    ReadSource(fileDescriptor: fileDescriptor, queue: queue)
  }

  /// Returns a descriptor's number if it can be one.
  static func checked(_ fileDescriptor: Int32) -> Int32 {
    requireUse(fileDescriptor >= 0, "A descriptor's number is not negative.", "S173")
    return fileDescriptor
  }
}
