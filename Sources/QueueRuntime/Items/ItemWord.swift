/// The word of a work item: how often it ran, whether it was cancelled or waited for, and whether
/// anybody is to hear of the first run.
struct ItemWord: StateWord, Equatable {
  /// Bit 0: cancelled; bit 1: somebody waits or has waited; bit 2: the first run is to be told;
  /// bits 3 and 4: how often it ran, 2 for more than once.
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

  /// The word after the item ran once more, and whether that is to be told.
  var performed: (next: ItemWord, isTold: Bool) {
    requireUse(runs == 0 || !isAwaited, "A work item that is waited for runs once.", "S85")
    return (ItemWord(bits: runs < 2 ? bits + Self.oneRun : bits), runs == 0 && isFollowed)
  }

  /// The word after somebody wished to hear of the first run, and whether it is or was told; it is
  /// not when it came before the first such wish.
  var followed: (next: ItemWord, isTold: Bool) {
    runs > 0 ? (self, isFollowed) : (ItemWord(bits: bits | Self.follower), true)
  }

  /// The word after somebody began to wait.
  var awaited: ItemWord {
    requireUse(!isAwaited, "A work item is waited for once.", "S85")
    requireUse(runs < 2, "A work item that ran more than once is not waited for.", "S85")
    return ItemWord(bits: bits | Self.wait)
  }

  /// The word after a wait that was given up.
  var unawaited: ItemWord { ItemWord(bits: bits & ~Self.wait) }
}
