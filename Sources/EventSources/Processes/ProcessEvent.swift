extension EventSource {
  /// The events of a process that a source can report.
  public struct ProcessEvent: OptionSet, Hashable, Sendable {
    /// The bits of the set, which are those of Dispatch.
    public let rawValue: UInt

    /// Creates a set from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The last thread of the process has ended.
    public static let exit = Self(rawValue: 0x8000_0000)
    /// The process has created a child. Not every system reports it: see ``ProcessSource``.
    public static let fork = Self(rawValue: 0x4000_0000)
    /// The process has started a program with `exec`. Not every system reports it: see
    /// ``ProcessSource``.
    public static let exec = Self(rawValue: 0x2000_0000)
    /// The process was sent a signal. A mask may contain it, but Linux never reports this event.
    public static let signal = Self(rawValue: 0x0800_0000)
    /// All events that Linux reports.
    public static let all: Self = [.exit, .fork, .exec]

    /// The events that only the kernel's connector reports.
    static let ofConnector: Self = [.fork, .exec]
  }
}
