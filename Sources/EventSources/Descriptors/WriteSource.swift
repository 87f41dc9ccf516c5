/// A source that calls its handler while a descriptor can be written without blocking.
///
/// ```swift
/// let source = EventSource.makeWriteSource(fileDescriptor: socket, queue: queue)
/// source.setEventHandler { [weak source] in
///   guard let source else { return }
///   let isFinished = sendNext(source.data)
///   if isFinished { source.cancel() }
/// }
/// source.setCancelHandler { close(socket) }
/// source.activate()
/// ```
///
/// The handler is called again as long as there is room: suspend or cancel the source while nothing
/// is to be written. One last call follows when the reader has gone, so that the write returns
/// `EPIPE` (<doc:Rules#S187>). The descriptor must stay open until the cancel handler runs.
public final class WriteSource: EventSource, @unchecked Sendable {
  private let descriptor: Int32

  /// Creates a source for a descriptor of any kind.
  ///
  /// - Precondition: The number is not negative.
  public init(fileDescriptor: Int32, queue: WorkQueue? = nil) {
    descriptor = EventSource.checked(fileDescriptor)
    let producer = DescriptorProducer(BorrowedDescriptor(rawValue: fileDescriptor), .write)
    super.init(core: SourceCore(target: queue, merging: .latest, producer: producer))
  }

  /// The number of the descriptor.
  public var handle: UInt { UInt(descriptor) }

  /// The bytes that the kernel accepts at once, an estimate and at least 1; 0 outside of a call of
  /// the event handler (<doc:Rules#S186>).
  ///
  /// It is 1 where the kernel does not count them.
  public var data: UInt { core.data }
}

extension EventSource {
  /// Creates a source that calls its handler while a descriptor can be written.
  public static func makeWriteSource(
    fileDescriptor: Int32,
    queue: WorkQueue? = nil
  ) -> WriteSource {
    WriteSource(fileDescriptor: fileDescriptor, queue: queue)
  }
}
