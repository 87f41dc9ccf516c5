/// A source that fires at points in time.
///
/// ```swift
/// let timer = EventSource.makeTimerSource(queue: .main)
/// timer.setEventHandler { [weak timer] in
///   guard let timer else { return }
///   print("fired", timer.data, "times")
/// }
/// timer.schedule(deadline: .now(), repeating: .seconds(1), leeway: .milliseconds(100))
/// timer.activate()
/// ```
///
/// A timer never fires before its time, and within its leeway while its queue is idle. Fires that
/// come while the handler runs or the source is suspended are counted and delivered by one call
/// (<doc:Rules#S185>).
public final class TimerSource: EventSource, @unchecked Sendable {
  private let producer: TimerProducer
  /// The options with which the source was created.
  package let flags: EventSource.TimerFlags

  /// Creates a source without a schedule, which does not fire.
  ///
  /// - Parameters:
  ///   - flags: Ignored, as every timer keeps its leeway; kept for source compatibility with
  ///     Dispatch.
  ///   - queue: The queue of the handlers, nil for the default global one.
  public init(flags: TimerFlags = [], queue: WorkQueue? = nil) {
    producer = TimerProducer()
    self.flags = flags
    super.init(core: SourceCore(target: queue, merging: .latest, producer: producer))
  }

  /// The number of fires since the last call of the event handler; 0 outside of a call.
  public var data: UInt { core.data }

  /// Sets the first fire and the interval of the following ones.
  ///
  /// Fires of the former schedule that are not delivered yet are dropped. It may be called at any
  /// time, in the handler too. On a cancelled source it has no effect.
  ///
  /// - Parameters:
  ///   - deadline: The first fire. A deadline in the past fires at once, and each interval since
  ///     then counts as a fire.
  ///   - interval: The time between two fires; nil for a timer that fires once.
  ///   - leeway: The time by which a fire may be late so that several timers can share a wake. It
  ///     is limited to half the interval.
  public func schedule(
    deadline: Deadline,
    repeating interval: Duration? = nil,
    leeway: Duration = .zero
  ) {
    set(deadline.clock.kernelClock, deadline.firstFire, interval, leeway)
  }

  /// Sets the first fire and the interval in seconds.
  public func schedule(
    deadline: Deadline,
    repeating interval: Double,
    leeway: Duration = .zero
  ) {
    schedule(deadline: deadline, repeating: Duration(timerSeconds: interval), leeway: leeway)
  }

  /// Sets the first fire on the wall clock, which moves when the clock is set.
  public func schedule(
    wallDeadline: WallDeadline,
    repeating interval: Duration? = nil,
    leeway: Duration = .zero
  ) {
    set(.wall, wallDeadline.firstFire, interval, leeway)
  }

  /// Sets the first fire on the wall clock and the interval in seconds.
  public func schedule(
    wallDeadline: WallDeadline,
    repeating interval: Double,
    leeway: Duration = .zero
  ) {
    schedule(
      wallDeadline: wallDeadline,
      repeating: Duration(timerSeconds: interval),
      leeway: leeway
    )
  }

  private func set(
    _ clock: KernelClock,
    _ time: PointInTime,
    _ interval: Duration?,
    _ leeway: Duration
  ) {
    core.checkProcess()
    producer.set(
      TimerSchedule(
        clock: clock,
        time: time,
        interval: interval?.wholeNanoseconds,
        leeway: leeway.wholeNanoseconds
      )
    )
  }
}

extension Duration {
  /// Creates an interval from seconds, nil for infinity and for a value that is not a number.
  fileprivate init?(timerSeconds seconds: Double) {
    guard seconds.isFinite else { return nil }
    self.init(saturatingSeconds: seconds)
  }
}

extension EventSource {
  /// Options of a timer source.
  public struct TimerFlags: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Creates a set from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// An option without effect, as every timer keeps its leeway; kept for source compatibility
    /// with Dispatch.
    public static let strict = TimerFlags(rawValue: 1)
  }

  /// Creates a timer source without a schedule.
  public static func makeTimerSource(
    flags: TimerFlags = [],
    queue: WorkQueue? = nil
  ) -> TimerSource {
    TimerSource(flags: flags, queue: queue)
  }
}
