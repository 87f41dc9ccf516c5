/// A source that reports the end of a process, and its forks and execs.
///
/// ```swift
/// let source = try EventSource.makeProcessSource(identifier: child, eventMask: .exit)
/// source.setEventHandler { [weak source] in
///   guard let source else { return }
///   print("ended:", source.status as Any)
///   source.cancel()
/// }
/// source.activate()
/// ```
///
/// The process may be any one whose number this process can see, a child or not, and of any user.
/// The source observes the process that has the number when the source is created. It never reports
/// a later process with the same number (<doc:Rules#S193>).
///
/// ``EventSource/ProcessEvent/exit`` is reported once, when the last thread of the process has
/// ended (<doc:Rules#S194>). Forks and execs come from the kernel's proc connector, which is not
/// available everywhere and may lose events (<doc:Rules#S195>).
public final class ProcessSource: EventSource, @unchecked Sendable {
  /// The number of the process.
  public let handle: Int32
  private let eventMask: ProcessEvent
  private let producer: ProcessProducer

  /// Creates a source for a process.
  ///
  /// A process that has ended already causes no error: ``EventSource/ProcessEvent/exit`` is
  /// reported after the activation.
  ///
  /// - Parameters:
  ///   - identifier: The number of the process.
  ///   - eventMask: The events to report.
  ///   - queue: The queue of the handlers, nil for the default global one.
  /// - Precondition: The number is positive. The mask has at least one event and no unknown ones.
  /// - Throws: `ENOENT` or `EINVAL` for the number of a thread. `EMFILE` and others where the
  ///   system has no room. For forks and execs also `EOPNOTSUPP` in a process or user namespace
  ///   other than the first, `ECONNREFUSED` in a network namespace other than the first, and
  ///   `EPERM` for users other than root before Linux 6.6.
  public init(
    identifier: Int32,
    eventMask: ProcessEvent,
    queue: WorkQueue? = nil
  ) throws(SystemError) {
    requireUse(identifier > 0, "The number of a process is positive.", "S193")
    requireUse(
      Self.accepts(eventMask),
      "The mask of a process source has at least one event and no unknown ones.",
      "S193"
    )
    handle = identifier
    self.eventMask = eventMask
    producer = try ProcessProducer(identifier, eventMask)
    super.init(
      core: SourceCore(
        target: queue,
        merging: .union(mask: eventMask.rawValue),
        producer: producer
      )
    )
  }

  /// A Boolean value that indicates whether a source can be created with these arguments.
  package static func accepts(identifier: Int32, eventMask: ProcessEvent) -> Bool {
    identifier > 0 && accepts(eventMask)
  }

  private static func accepts(_ mask: ProcessEvent) -> Bool {
    !mask.isEmpty && mask.isSubset(of: .all.union(.signal))
  }

  /// The events of the running call of the event handler, empty outside of it.
  public var data: ProcessEvent { ProcessEvent(rawValue: core.data) }

  /// The events that the source reports, empty once it was cancelled.
  public var mask: ProcessEvent { isCancelled ? [] : eventMask }

  /// The way in which the process has ended, nil if that is not known (<doc:Rules#S194>).
  ///
  /// The status of a child is known when its end is reported. The status of another process is
  /// known once its parent has waited for it, on Linux 6.15 or newer. A status that is unknown when
  /// the source is cancelled stays unknown, as does that of a process that was waited for before
  /// the source was created.
  public var status: ProcessStatus? { producer.status }
}

extension EventSource {
  /// Creates a source that reports events of a process.
  ///
  /// ``ProcessSource/init(identifier:eventMask:queue:)`` describes the parameters and errors.
  public static func makeProcessSource(
    identifier: Int32,
    eventMask: ProcessEvent,
    queue: WorkQueue? = nil
  ) throws(SystemError) -> ProcessSource {
    try ProcessSource(identifier: identifier, eventMask: eventMask, queue: queue)
  }
}
