internal import IOChannelsLocks

/// The state word of a work item: its number of runs, whether it was cancelled or waited for, and
/// whether the first run has followers.
struct ItemWord: StateWord, Equatable {
  /// The bits of the word. Bit 0: cancelled; bit 1: a wait is or was active; bit 2: the first run
  /// has followers; bits 3 and 4: the number of runs, 2 for more than one.
  var bits: UInt64 = 0

  private static let cancellation: UInt64 = 1
  private static let wait: UInt64 = 2
  private static let follower: UInt64 = 4
  private static let oneRun: UInt64 = 8

  var isCancelled: Bool { bits & Self.cancellation != 0 }
  var isAwaited: Bool { bits & Self.wait != 0 }
  var isFollowed: Bool { bits & Self.follower != 0 }
  var runs: UInt64 { bits / Self.oneRun }

  /// The word after a cancellation.
  var cancelled: ItemWord { ItemWord(bits: bits | Self.cancellation) }

  /// The word after one more run, and whether that run must notify followers.
  var performed: (next: ItemWord, isNotified: Bool) {
    requireUse(runs == 0 || !isAwaited, "A work item that is waited for runs once.", "S85")
    return (ItemWord(bits: runs < 2 ? bits + Self.oneRun : bits), runs == 0 && isFollowed)
  }

  /// The word after a follower was added, and whether the first run notifies it or has done so. It
  /// has not when it came before the first follower.
  var followed: (next: ItemWord, isNotified: Bool) {
    runs > 0 ? (self, isFollowed) : (ItemWord(bits: bits | Self.follower), true)
  }

  /// The word after a wait began.
  var awaited: ItemWord {
    requireUse(!isAwaited, "A work item is waited for once.", "S85")
    requireUse(runs < 2, "A work item that ran more than once is not waited for.", "S85")
    return ItemWord(bits: bits | Self.wait)
  }

  /// The word after a wait timed out.
  var unawaited: ItemWord { ItemWord(bits: bits & ~Self.wait) }
}
