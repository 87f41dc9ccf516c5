/// A source that reports changes of the system's memory pressure.
///
/// ```swift
/// let source = try EventSource.makeMemoryPressureSource(eventMask: [.warning, .critical])
/// source.setEventHandler { cache.removeAll() }
/// source.activate()
/// ```
///
/// The level is ``EventSource/MemoryPressureEvent/normal`` at first. It rises when the kernel
/// reports that tasks wait for memory. The kernel does not report the end of pressure. So a level
/// holds for 6 seconds after its last report and then falls by one step (<doc:Rules#S203>). The
/// handler is called for changes of the level only.
public final class MemoryPressureSource: EventSource, @unchecked Sendable {
  private let eventMask: EventSource.MemoryPressureEvent
  private let producer: PressureProducer

  /// The part of the system that reports pressure to this source.
  ///
  /// The source takes the first that can be used of these: the service manager's file, the
  /// process's control group, the whole system, the process's control group of version 1
  /// (<doc:Rules#S202>).
  public let provider: Provider

  /// Creates a source; its handlers run on the default global queue if `queue` is nil.
  ///
  /// - Precondition: The mask has at least one level and no unknown ones (<doc:Rules#S244>).
  /// - Throws: `EOPNOTSUPP` if nothing reports pressure, as without `/proc` and a service manager,
  ///   or if the service manager has switched reports off. `EMFILE`, `ENFILE` or `ENOMEM` if the
  ///   system has no room.
  public convenience init(
    eventMask: EventSource.MemoryPressureEvent,
    queue: WorkQueue? = nil
  ) throws(SystemError) {
    requireUse(
      Self.accepts(eventMask: eventMask),
      "The mask of a memory pressure source has at least one level and no unknown ones.",
      "S244"
    )
    let (provider, triggers) = try Self.open()
    self.init(provider, triggers, eventMask, queue)
  }

  init(
    _ provider: Provider,
    _ triggers: [PressureTrigger],
    _ eventMask: EventSource.MemoryPressureEvent,
    _ queue: WorkQueue?,
    hold: Int64 = PressureState.hold
  ) {
    self.provider = provider
    self.eventMask = eventMask
    producer = PressureProducer(triggers, eventMask, hold: hold)
    super.init(
      core: SourceCore(
        target: queue,
        merging: .union(mask: eventMask.rawValue),
        producer: producer
      )
    )
  }

  /// A Boolean value that indicates whether a source can be created with this mask.
  package static func accepts(eventMask: EventSource.MemoryPressureEvent) -> Bool {
    !eventMask.isEmpty && eventMask.isSubset(of: .all)
  }

  private static func open() throws(SystemError) -> (Provider, [PressureTrigger]) {
    let providers = PressureProviders(
      watch: Environment.secureValue(of: "MEMORY_PRESSURE_WATCH"),
      message: Environment.secureValue(of: "MEMORY_PRESSURE_WRITE"),
      groups: ControlGroup.contents(of: "/proc/self/cgroup")
    )
    for candidate in providers.candidates {
      do throws(SystemError) {
        return (candidate.provider, try PressureTrigger.open(candidate))
      } catch {
        // Another provider would meet the same shortage.
        let shortages: [SystemError] = [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory]
        if shortages.contains(error) { throw error }
      }
    }
    throw .notSupported
  }

  /// The levels since the last call of the event handler, limited to the mask; empty outside of a
  /// call.
  ///
  /// There are several if the level changed while the handler ran or the source was suspended. Then
  /// ``level`` is the latest.
  public var data: EventSource.MemoryPressureEvent { .init(rawValue: core.data) }

  /// The levels that are reported, empty once the source was cancelled.
  public var mask: EventSource.MemoryPressureEvent { isCancelled ? [] : eventMask }

  /// Always 0, as the source has no descriptor of the program; kept for source compatibility with
  /// Dispatch.
  public var handle: UInt { 0 }

  /// The level at this moment, whether it is in the mask or not.
  ///
  /// It is normal before the activation. After a cancellation it keeps its last value.
  public var level: EventSource.MemoryPressureEvent { producer.level }
}

extension EventSource {
  /// Levels of memory pressure.
  public struct MemoryPressureEvent: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Creates a set from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    init(_ level: PressureState.Level) {
      switch level {
      case .normal: self = .normal
      case .warning: self = .warning
      case .critical: self = .critical
      }
    }

    /// Tasks hardly wait for memory.
    public static let normal = MemoryPressureEvent(rawValue: 1)
    /// Some tasks wait for memory for a tenth of the time: release what can be made again.
    public static let warning = MemoryPressureEvent(rawValue: 2)
    /// All tasks wait for memory for a quarter of the time: release as much as possible.
    public static let critical = MemoryPressureEvent(rawValue: 4)
    /// All levels.
    public static let all: MemoryPressureEvent = [.normal, .warning, .critical]
  }

  /// Creates a source that reports changes of memory pressure.
  ///
  /// ``MemoryPressureSource/init(eventMask:queue:)`` describes the parameters and errors.
  public static func makeMemoryPressureSource(
    eventMask: MemoryPressureEvent,
    queue: WorkQueue? = nil
  ) throws(SystemError) -> MemoryPressureSource {
    try MemoryPressureSource(eventMask: eventMask, queue: queue)
  }
}
