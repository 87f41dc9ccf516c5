internal import IOChannelsLocks

/// The state word of a queue's suspensions.
///
/// A queue is stopped while it is inactive or suspended. A thread that is about to start the next
/// work then parks the drain: the thread that ends the stop continues it.
struct SuspensionWord: StateWord, Equatable {
  /// The largest number of suspensions at once.
  static let countLimit: UInt64 = (1 << 32) - 1

  /// Bit 0: the drain is parked; bit 1: inactive; bits 2 to 33: suspensions.
  var bits: UInt64 = 0

  private static let parked: UInt64 = 1
  private static let inactive: UInt64 = 2
  private static let oneSuspension: UInt64 = 4

  /// The word of a queue that was not activated yet.
  static let initiallyInactive = SuspensionWord(bits: inactive)

  var isParked: Bool { bits & Self.parked != 0 }
  var isInactive: Bool { bits & Self.inactive != 0 }
  var suspensions: UInt64 { bits / Self.oneSuspension }
  var isStopped: Bool { bits > Self.parked }

  /// The word after one more suspension.
  var suspended: SuspensionWord {
    requireUse(suspensions < Self.countLimit, "A queue has at most 4294967295 suspensions.", "S84")
    return SuspensionWord(bits: bits + Self.oneSuspension)
  }

  /// The word after a suspension ended, and whether the drain continues now.
  var resumed: (next: SuspensionWord, wakes: Bool) {
    requireUse(suspensions > 0, "A queue is resumed once for each time it was suspended.", "S84")
    return SuspensionWord(bits: bits - Self.oneSuspension).woken
  }

  /// The word after the activation, and whether the drain continues now.
  var activated: (next: SuspensionWord, wakes: Bool) {
    isInactive ? SuspensionWord(bits: bits - Self.inactive).woken : (self, false)
  }

  /// The word after the drain was parked, nil when the queue is not stopped.
  var parking: SuspensionWord? { isStopped ? SuspensionWord(bits: bits | Self.parked) : nil }

  private var woken: (next: SuspensionWord, wakes: Bool) {
    self.bits == Self.parked ? (SuspensionWord(), true) : (self, false)
  }
}
