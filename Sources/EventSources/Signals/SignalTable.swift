/// The numbers of sources of each signal, and the changes of dispositions that they need.
///
/// A counting handler is installed above the disposition that a source finds. The program may set a
/// disposition of its own later, and keep the counting handler to call it or to set it again. The
/// next source then installs a counting handler of a higher level above that disposition (S191).
///
/// A handler of the program can only call counting handlers that were installed before it. So no
/// level is installed above a handler that may call it, and handlers do not call each other without
/// end.
struct SignalTable: Equatable, Sendable {
  typealias Disposition = SignalCounters.Disposition

  /// A change of the disposition of a signal.
  enum Change: Equatable, Sendable {
    case none
    /// Installs the counting handler of a level above the disposition that was found.
    case install(level: Int)
    /// Restores the disposition below a level. With `resends` it also handles the signals that were
    /// counted and not reported to a source.
    case restore(level: Int, resends: Bool)
    /// Refuses the source: a handler of the program may call the counting handlers of all levels.
    case refuse
  }

  /// The disposition below a counting handler.
  private struct Level: Equatable {
    var former: Disposition
    /// Whether the program may have kept the counting handler, to call it or to set it again.
    var mayBeKept = false
  }

  private struct Entry: Equatable {
    var sources = 0
    /// The levels that were ever installed. A source installs the last one or a new one. Handlers
    /// of the lower ones may all be kept.
    var levels: [Level] = []
    /// The level whose counting handler is the signal's disposition.
    var current: Int?

    /// Notes the disposition that was found.
    mutating func look(at found: Disposition) {
      let former = current
      if case .counted(let level) = found { current = level } else { current = nil }
      guard let former, former != current else { return }
      levels[levels.count - 1].mayBeKept = true
    }

    /// Chooses the level to install above a disposition, nil if there is none.
    mutating func install(above found: Disposition) -> Int? {
      if needsNewLevel(above: found) {
        if levels.count < SignalCounters.levels {
          levels.append(Level(former: found))
        } else if found == .handled {
          return nil
        }
      }
      let level = levels.count - 1
      levels[level].former = found
      current = level
      return level
    }

    private func needsNewLevel(above found: Disposition) -> Bool {
      guard let last = levels.last else { return true }
      // The handler may call the kept one. The program may also set it again, for which the level
      // keeps another former disposition.
      return last.mayBeKept && (found == .handled || last.former != found)
    }

    /// Whether a counting handler calls a handler of the program.
    func callsFormer(_ level: Int, of signal: Int32) -> Bool {
      levels.indices.contains(level) && levels[level].former == .handled
        && signal != SignalCounters.unchained
    }
  }

  private var entries: [Int32: Entry] = [:]

  /// The numbers of the signals with sources, in ascending order.
  var watched: [Int32] { entries.filter { $0.value.sources > 0 }.keys.sorted() }

  /// The signals that may be taken while they are pending; bit 0 stands for signal 1.
  ///
  /// They are taken before a thread can handle them. So a signal that the program handles is not
  /// among them.
  var takenWhilePending: UInt64 {
    entries.reduce(0) { signals, item in
      let (signal, entry) = item
      guard entry.sources > 0, let level = entry.current, !entry.callsFormer(level, of: signal)
      else { return signals }
      return signals | 1 << UInt64(signal - 1)
    }
  }

  /// Notes one more source of a signal, unless it is refused.
  mutating func add(_ signal: Int32, found: Disposition) -> Change {
    var entry = entries[signal] ?? Entry()
    defer { entries[signal] = entry }
    entry.look(at: found)
    var change = Change.none
    // Another source may have installed a counting handler, or the program has set it again.
    if entry.current == nil {
      guard let level = entry.install(above: found) else { return .refuse }
      change = .install(level: level)
    }
    entry.sources += 1
    return change
  }

  /// Notes the disposition of a signal with sources, which the program may have changed.
  mutating func look(at signal: Int32, found: Disposition) {
    guard var entry = entries[signal], entry.sources > 0 else { return }
    entry.look(at: found)
    entries[signal] = entry
  }

  /// Notes one source less of a signal.
  mutating func remove(_ signal: Int32, found: Disposition) -> Change {
    guard var entry = entries[signal], entry.sources > 0 else { return .none }
    entry.sources -= 1
    entry.look(at: found)
    defer { entries[signal] = entry }
    // A disposition that the program has set since stays.
    guard entry.sources == 0, case .counted(let level) = found else { return .none }
    entry.current = nil
    return .restore(level: level, resends: !entry.callsFormer(level, of: signal))
  }
}
