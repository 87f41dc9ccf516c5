extension SourceEvents where Failure == Never {
  /// Creates the sequence of a source that is always registered.
  init(of source: EventSource, element: @escaping @Sendable (UInt) -> Element) {
    self.init(of: source, failure: { _ in nil }, element: element)
  }
}

extension SourceEvents where Failure == SystemError {
  /// Creates the sequence of a source that the kernel may refuse.
  init(of source: EventSource, element: @escaping @Sendable (UInt) -> Element) {
    self.init(of: source, failure: { $0 }, element: element)
  }
}

extension TimerSource {
  /// The numbers of fires since the previous element.
  public var events: SourceEvents<Int, Never> { SourceEvents(of: self) { Int(clamping: $0) } }

  /// Returns the fires of a new timer as a sequence; the first fire is one interval from now.
  ///
  /// - Parameters:
  ///   - interval: The time between two fires, at least a nanosecond.
  ///   - leeway: The time by which a fire may be late, at most half the interval.
  ///   - clock: The clock that the timer uses.
  /// - Returns: The numbers of fires since the previous element, more than 1 where the loop was
  ///   slow.
  public static func ticks(
    every interval: Duration,
    leeway: Duration = .zero,
    clock: Deadline.Clock = .uptime
  ) -> SourceEvents<Int, Never> {
    let source = TimerSource()
    source.schedule(deadline: .now(clock) + interval, repeating: interval, leeway: leeway)
    return source.events.owningSource()
  }
}

extension DataSource {
  /// The merged data since the previous element.
  public var events: SourceEvents<UInt, Never> { SourceEvents(of: self) { $0 } }
}

extension ReadSource {
  /// The numbers of bytes that can be read, 0 for the end of the data.
  ///
  /// The sequence finishes after it has reported the end. The sequence of a regular file is the
  /// exception: it continues when the file grows. Read the available bytes before you request the
  /// next element. Otherwise that element follows at once.
  public var events: SourceEvents<Int, SystemError> { SourceEvents(of: self) { Int(clamping: $0) } }

  /// Returns the numbers of bytes that can be read from a descriptor, as ``events`` of a new
  /// source.
  ///
  /// The descriptor must stay open until the loop has ended.
  public static func readable(fileDescriptor: Int32) -> SourceEvents<Int, SystemError> {
    ReadSource(fileDescriptor: fileDescriptor).events.owningSource()
  }
}

extension WriteSource {
  /// The numbers of bytes for which there is room, at least 1.
  public var events: SourceEvents<Int, SystemError> { SourceEvents(of: self) { Int(clamping: $0) } }

  /// Returns the room of a descriptor, as ``events`` of a new source.
  ///
  /// The descriptor must stay open until the loop has ended.
  public static func writable(fileDescriptor: Int32) -> SourceEvents<Int, SystemError> {
    WriteSource(fileDescriptor: fileDescriptor).events.owningSource()
  }
}

extension FileSystemSource {
  /// The events since the previous element.
  public var events: SourceEvents<FileSystemEvent, SystemError> {
    SourceEvents(of: self) { FileSystemEvent(rawValue: $0) }
  }

  /// Returns the events of a file or directory, which is opened now and closed with the sequence.
  ///
  /// The sequence follows the file, not the path, as a source with its descriptor does.
  ///
  /// - Throws: The errors of opening the path.
  public static func events(
    at path: some BytePathConvertible,
    mask: FileSystemEvent = .all
  ) throws(SystemError) -> SourceEvents<FileSystemEvent, SystemError> {
    let file = try BorrowedDescriptor.workingDirectory.open(path.bytePath, .path)
    return makeFileSystemObjectSource(owning: file, eventMask: mask).events.owningSource()
  }
}

extension ProcessSource {
  /// The events since the previous element.
  ///
  /// An element that contains ``EventSource/ProcessEvent/exit`` is the last one. The sequence ends
  /// when the process ends, even if the mask lacks that event.
  public var events: SourceEvents<ProcessEvent, SystemError> {
    SourceEvents(of: self) { ProcessEvent(rawValue: $0) }
  }
}

extension MemoryPressureSource {
  /// The levels since the previous element.
  public var events: SourceEvents<MemoryPressureEvent, SystemError> {
    SourceEvents(of: self) { MemoryPressureEvent(rawValue: $0) }
  }
}

extension PortSource {
  /// The numbers of bytes in messages that wait, 0 for the end of a port without senders.
  ///
  /// For the source of a sender the one element is `PortSendEvent.dead` as a number. Receive the
  /// messages that wait before you request the next element. Otherwise it arrives at once.
  public var events: SourceEvents<UInt, SystemError> { SourceEvents(of: self) { $0 } }
}
