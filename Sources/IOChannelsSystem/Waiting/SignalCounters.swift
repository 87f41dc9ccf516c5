internal import CIOChannelsSystem

/// The counts of the signals of the process, and their dispositions.
///
/// There is one table for the process. Members that change dispositions are called one at a time.
/// Signals are numbers for which `canCount(_:)` is true.
package enum SignalCounters {
  /// The disposition of a signal.
  package enum Disposition: Hashable, Sendable {
    case defaultAction
    case ignored
    /// The program handles the signal.
    case handled
    /// The counting handler of a level handles the signal.
    case counted(level: Int)
  }

  /// Returns whether a signal can be counted: a program can handle it, and it reports no fault.
  package static func canCount(_ signal: Int32) -> Bool { csys_signal_can_be_watched(signal) }

  /// The signal for which the program's handler is not called after the count (`SIGQUIT`).
  package static var unchained: Int32 { CSYS_SIGNAL_UNCHAINED }

  /// Creates the descriptor that becomes readable when the handler counts a signal.
  ///
  /// It is created once and never closed, because a handler may run at any time.
  package static func makeWakeup() throws(SystemError) -> BorrowedDescriptor {
    BorrowedDescriptor(rawValue: Int32(try csys_signal_wakeup().get()))
  }

  /// Resets that descriptor, so that it is unreadable until the next signal.
  package static func takeWakeup(_ descriptor: BorrowedDescriptor) {
    _ = csys_signal_wakeup_take(descriptor.rawValue)
  }

  /// The number of levels, each with a counting handler and a disposition below it.
  package static var levels: Int { Int(CSYS_SIGNAL_LEVELS) }

  /// Returns the disposition of a signal, above which `install(_:level:)` installs a handler.
  package static func disposition(of signal: Int32) throws(SystemError) -> Disposition {
    let number = Int32(try csys_signal_disposition(signal).get())
    return switch number {
    case CSYS_SIGNAL_DEFAULT: .defaultAction
    case CSYS_SIGNAL_IGNORED: .ignored
    case CSYS_SIGNAL_HANDLED: .handled
    default: .counted(level: Int(number - CSYS_SIGNAL_COUNTED))
    }
  }

  /// Starts or ends the counting of a signal whose handler is installed.
  package static func setWatched(_ signal: Int32, _ isWatched: Bool) {
    csys_signal_watch(signal, isWatched)
  }

  /// Installs the handler of a level, which counts a signal and then calls the program's handler.
  package static func install(_ signal: Int32, level: Int) throws(SystemError) {
    _ = try csys_signal_install(signal, Int32(level)).get()
  }

  /// Restores the disposition from before the installation of a level.
  package static func restore(_ signal: Int32, level: Int) {
    _ = csys_signal_restore(signal, Int32(level))
  }

  /// Sends a signal to this process.
  package static func send(_ signal: Int32) { _ = csys_signal_send(signal) }

  /// Returns the count of a signal and sets it to 0.
  package static func take(_ signal: Int32) -> UInt { UInt(csys_signal_take(signal)) }
}

extension SignalCounters {
  /// Creates a descriptor that is readable while one of the signals is pending.
  ///
  /// Bit 0 of the set stands for signal 1.
  package static func makePendingDescriptor(
    for signals: UInt64
  ) throws(SystemError) -> BorrowedDescriptor {
    BorrowedDescriptor(rawValue: Int32(try csys_signal_descriptor(-1, signals).get()))
  }

  /// Replaces the signals of a descriptor of pending signals.
  package static func setSignals(
    _ signals: UInt64,
    of descriptor: BorrowedDescriptor
  ) throws(SystemError) {
    _ = try csys_signal_descriptor(descriptor.rawValue, signals).get()
  }

  /// Removes pending signals and counts them, at most a few hundred in one call.
  package static func countPending(_ descriptor: BorrowedDescriptor) {
    for _ in 0..<16 {
      let result = csys_signal_descriptor_count(descriptor.rawValue)
      if result.error != 0 { return }
    }
  }
}
