/// The word of a work item: how often it ran, and whether it was cancelled or waited for.
struct ItemWord: StateWord, Equatable {
  /// Bit 0: cancelled; bit 1: somebody waits or has waited; bits 2 and 3: how often it ran, 2 for
  /// more than once.
  var bits: UInt64 = 0

  private static let cancellation: UInt64 = 1
  private static let wait: UInt64 = 2
  private static let oneRun: UInt64 = 4

  var isCancelled: Bool { bits & Self.cancellation != 0 }
  var isAwaited: Bool { bits & Self.wait != 0 }
  var runs: UInt64 { bits / Self.oneRun }

  /// The word after a cancellation.
  var cancelled: ItemWord { ItemWord(bits: bits | Self.cancellation) }

  /// The word after the item ran once more, and whether that was the first time.
  var performed: (next: ItemWord, isFirst: Bool) {
    precondition(runs == 0 || !isAwaited, "A work item that is waited for runs once.")
    return (ItemWord(bits: runs < 2 ? bits + Self.oneRun : bits), runs == 0)
  }

  /// The word after somebody began to wait.
  var awaited: ItemWord {
    precondition(!isAwaited, "A work item is waited for once.")
    precondition(runs < 2, "A work item that ran more than once is not waited for.")
    return ItemWord(bits: bits | Self.wait)
  }

  /// The word after a wait that was given up.
  var unawaited: ItemWord { ItemWord(bits: bits & ~Self.wait) }
}
