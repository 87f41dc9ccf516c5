internal import IOChannelsLocks

/// The state word of a concurrent queue: the workers and threads inside, and the barriers.
///
/// Inside are workers that drain the queue and threads in `sync`; each counts once, however many
/// items it runs. A barrier is announced before it is added, so that threads in `sync` stop passing
/// it. When it is the oldest item it waits until all inside have left; the last one makes it
/// exclusive. While a barrier waits or is exclusive no further item starts.
struct ConcurrentWord: StateWord, Equatable {
  /// The largest number of workers and threads inside, and of barriers that have not ended.
  static let countLimit: UInt64 = (1 << 30) - 1

  /// Bits 0 to 29: inside; bits 30 to 59: barriers; bit 62: one waits; bit 63: one is exclusive.
  var bits: UInt64 = 0

  private static let oneBarrier: UInt64 = 1 << 30
  private static let waits: UInt64 = 1 << 62
  private static let exclusive: UInt64 = 1 << 63

  var inside: UInt64 { bits & Self.countLimit }
  /// The number of barriers that were announced and have not ended.
  var barriers: UInt64 { bits >> 30 & Self.countLimit }
  /// Whether a barrier is the oldest item and waits for all inside to leave.
  var barrierWaits: Bool { bits & Self.waits != 0 }
  /// Whether a barrier runs or is about to, with no other work inside.
  var isExclusive: Bool { bits & Self.exclusive != 0 }

  /// The word after a barrier was announced.
  var announced: ConcurrentWord {
    precondition(barriers < Self.countLimit, "At most 1073741823 barriers wait in a queue.")
    return ConcurrentWord(bits: bits + Self.oneBarrier)
  }

  /// The word after a thread in `sync` entered, nil when it has to queue behind a barrier.
  var passed: ConcurrentWord? { barriers == 0 ? entered : nil }

  /// The word after a worker, or a thread admitted by the queue, entered.
  var entered: ConcurrentWord {
    precondition(!isExclusive, "Nobody enters beside a barrier.")
    precondition(inside < Self.countLimit, "At most 1073741823 threads are inside a queue.")
    return ConcurrentWord(bits: bits + 1)
  }

  /// The word after a barrier became due: exclusive, or waiting for those inside.
  var barrierDue: ConcurrentWord {
    ConcurrentWord(bits: bits | (inside == 0 ? Self.exclusive : Self.waits))
  }

  /// The word after one worker or thread left, and whether that made the waiting barrier exclusive.
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
