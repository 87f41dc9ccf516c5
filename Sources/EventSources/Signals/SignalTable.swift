/// The numbers of sources of each signal, and the changes of dispositions that they need.
///
/// The counting handler is installed above the disposition that the first source of a signal finds.
/// The program may set a handler of its own later. That handler may call the counting one, which it
/// has replaced: the counting handler is never installed above it, or the two would call each other
/// without end (S191).
struct SignalTable: Equatable, Sendable {
  typealias Disposition = SignalCounters.Disposition

  /// A change of the disposition of a signal.
  enum Change: Equatable, Sendable {
    case none
    /// Installs the counting handler above the disposition that was found.
    case install
    /// Installs the counting handler again, above the disposition of the first time.
    case reinstall
    /// Restores the disposition from before the installation.
    case restore
  }

  private struct Entry: Equatable {
    var sources = 0
    /// Whether a handler of the program may call the counting handler.
    var isChained = false
    /// Whether the counting handler is the signal's disposition.
    var isCounting = false
    /// Whether the counting handler calls a handler of the program.
    var callsFormer = false
  }

  private var entries: [Int32: Entry] = [:]

  /// The numbers of the signals with sources, in ascending order.
  var watched: [Int32] { entries.filter { $0.value.sources > 0 }.keys.sorted() }

  /// The signals that may be taken while they are pending; bit 0 stands for signal 1.
  ///
  /// They are taken before a thread can handle them. So a signal that the program handles is not
  /// among them.
  var takenWhilePending: UInt64 {
    entries.reduce(0) { signals, entry in
      entry.value.sources > 0 && entry.value.isCounting && !entry.value.callsFormer
        ? signals | 1 << UInt64(entry.key - 1) : signals
    }
  }

  /// Notes one more source of a signal.
  mutating func add(_ signal: Int32, found: Disposition) -> Change {
    var entry = entries[signal] ?? Entry()
    // The program may set a handler again that it has set aside.
    if found != .counted, entry.sources > 0 { entry.isChained = true }
    entry.sources += 1
    let change: Change =
      switch found {
      case .counted: .none
      case .handled: entry.isChained ? .none : .install
      // Where the program ignores a signal for a while it will set the counting handler again.
      case .defaultAction, .ignored: entry.sources > 1 ? .reinstall : .install
      }
    return note(signal, entry, found, change)
  }

  /// Notes the disposition of a signal with sources, which the program may have changed.
  mutating func look(at signal: Int32, found: Disposition) {
    guard var entry = entries[signal], entry.sources > 0 else { return }
    if found == .handled { entry.isChained = true }
    entry.isCounting = found == .counted
    entries[signal] = entry
  }

  /// Notes one source less of a signal.
  mutating func remove(_ signal: Int32, found: Disposition) -> Change {
    guard var entry = entries[signal], entry.sources > 0 else { return .none }
    entry.sources -= 1
    if found != .counted { entry.isChained = true }
    let restores = entry.sources == 0 && found == .counted
    return note(signal, entry, found, restores ? .restore : .none)
  }

  private mutating func note(
    _ signal: Int32,
    _ entry: Entry,
    _ found: Disposition,
    _ change: Change
  ) -> Change {
    var entry = entry
    switch change {
    case .none: entry.isCounting = found == .counted
    case .restore: entry.isCounting = false
    case .reinstall: entry.isCounting = true
    case .install:
      entry.isCounting = true
      // The program's handler of this one is not called.
      entry.callsFormer = found == .handled && signal != SignalCounters.unchained
    }
    entries[signal] = entry
    return change
  }
}
