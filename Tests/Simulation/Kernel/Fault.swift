/// What the simulated kernel does that a kind one would not; each seed has some of them.
struct Faults: OptionSet {
  let rawValue: Int

  /// Transfers move fewer bytes than asked.
  static let short = Faults(rawValue: 1 << 0)
  static let ioError = Faults(rawValue: 1 << 1)
  static let tryAgain = Faults(rawValue: 1 << 2)
  static let interrupted = Faults(rawValue: 1 << 3)
  /// Requests end with `ECANCELED` that nobody cancelled.
  static let canceled = Faults(rawValue: 1 << 4)
  static let noSpace = Faults(rawValue: 1 << 5)
  static let quota = Faults(rawValue: 1 << 6)
  static let notSupported = Faults(rawValue: 1 << 7)
  /// Requests do not end before the faults do.
  static let stuck = Faults(rawValue: 1 << 8)
  /// A part of each file cannot be read or written.
  static let badRange = Faults(rawValue: 1 << 9)
  /// Answers come again when their request has gone.
  static let stale = Faults(rawValue: 1 << 10)
  /// Cancellations come too late.
  static let lateCancel = Faults(rawValue: 1 << 11)
  /// Writes move nothing.
  static let writesNothing = Faults(rawValue: 1 << 12)
  /// The ring can no longer be entered at some moment.
  static let brokenRing = Faults(rawValue: 1 << 13)

  /// Buffers are not lent.
  static let noMemory = Faults(rawValue: 1 << 14)

  /// Descriptors and paths cannot be looked at.
  static let badLook = Faults(rawValue: 1 << 15)
  /// Paths cannot be opened.
  static let badOpening = Faults(rawValue: 1 << 16)
  /// Closing tells an error, although the descriptor is closed.
  static let badClosing = Faults(rawValue: 1 << 17)

  static let count = 18
  static let all = Faults(rawValue: 1 << count - 1)
}
