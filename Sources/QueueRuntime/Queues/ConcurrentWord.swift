/// The word of a concurrent queue that says who is inside and what barriers do.
///
/// Inside are workers that drain the queue and threads in `sync`; each is counted once, however
/// many items it runs. A barrier is announced before it is added, so that threads in `sync` stop
/// passing it. When it is the oldest item it waits for all inside to finish; the last one out makes
/// it exclusive. While a barrier waits or is exclusive no further item starts.
struct ConcurrentWord: StateWord, Equatable {
  /// The most workers and threads inside, and the most barriers that have not ended.
  static let countLimit: UInt64 = (1 << 30) - 1

  /// Bits 0 to 29: inside; bits 30 to 59: barriers; bit 62: one waits; bit 63: one is exclusive.
  var bits: UInt64 = 0

  private static let oneBarrier: UInt64 = 1 << 30
  private static let waits: UInt64 = 1 << 62
  private static let exclusive: UInt64 = 1 << 63

  var inside: UInt64 { bits & Self.countLimit }
  /// Barriers that were announced and have not ended.
  var barriers: UInt64 { bits >> 30 & Self.countLimit }
  /// Whether a barrier is the oldest item and waits for all inside to finish.
  var barrierWaits: Bool { bits & Self.waits != 0 }
  /// Whether a barrier runs or is about to, with nobody else inside.
  var isExclusive: Bool { bits & Self.exclusive != 0 }

  /// The word after a barrier was announced.
  var announced: ConcurrentWord {
    precondition(barriers < Self.countLimit, "At most 1073741823 barriers wait in a queue.")
    return ConcurrentWord(bits: bits + Self.oneBarrier)
  }

  /// The word after a thread in `sync` went inside, nil when it has to queue behind a barrier.
  var passed: ConcurrentWord? { barriers == 0 ? entered : nil }

  /// The word after somebody who takes items, or whose turn in the queue came, went inside.
  var entered: ConcurrentWord {
    precondition(!isExclusive, "Nobody enters beside a barrier.")
    precondition(inside < Self.countLimit, "At most 1073741823 threads are inside a queue.")
    return ConcurrentWord(bits: bits + 1)
  }

  /// The word after a barrier's turn came: exclusive, or waiting for those inside.
  var barrierDue: ConcurrentWord {
    ConcurrentWord(bits: bits | (inside == 0 ? Self.exclusive : Self.waits))
  }

  /// The word after one went out, and whether that made the waiting barrier exclusive.
  var left: (next: ConcurrentWord, makesExclusive: Bool) {
    precondition(inside > 0, "Whoever leaves a queue was inside.")
    let next = ConcurrentWord(bits: bits - 1)
    guard next.inside == 0 && barrierWaits else { return (next, false) }
    return (ConcurrentWord(bits: next.bits - Self.waits + Self.exclusive), true)
  }

  /// The word after the exclusive barrier ended.
  var barrierEnded: ConcurrentWord {
    precondition(isExclusive && barriers > 0, "A barrier ends once.")
    return ConcurrentWord(bits: bits - Self.exclusive - Self.oneBarrier)
  }
}
