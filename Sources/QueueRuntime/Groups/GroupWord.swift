public import IOChannelsLocks

/// The state word of a group: the count, whether a waiter exists, and a generation.
///
/// The generation increases when the count reaches 0 while a waiter exists. It separates waiters
/// from before that moment from waiters that came after the group was entered again.
@usableFromInline
struct GroupWord: StateWord, Equatable {
  /// The largest count.
  @inlinable static var countLimit: UInt64 { (1 << 31) - 1 }

  /// The amount that `enter` adds to the bits.
  @inlinable static var entering: Int64 { 2 }

  /// Bit 0: a waiter exists; bits 1 to 31: the count; bits 32 to 63: the generation.
  @usableFromInline var bits: UInt64

  @inlinable
  init(bits: UInt64 = 0) {
    self.bits = bits
  }

  @inlinable var hasWaiters: Bool { bits & 1 != 0 }
  @inlinable var count: UInt64 { bits >> 1 & Self.countLimit }
  @inlinable var generation: UInt32 { UInt32(bits >> 32) }

  /// The word after one more `enter`.
  @inlinable var entered: GroupWord {
    requireUse(
      count < Self.countLimit,
      "A group is entered at most 2147483647 times at once.",
      "S86"
    )
    return GroupWord(bits: bits + 2)
  }

  /// The word after a `leave`, and whether the waiters of this generation are released.
  @inlinable var left: (next: GroupWord, releases: Bool) {
    requireUse(count > 0, "A group is left once for each time it was entered.", "S86")
    let next = GroupWord(bits: bits - 2)
    guard next.count == 0 && hasWaiters else { return (next, false) }
    return (GroupWord(bits: UInt64(generation &+ 1) << 32), true)
  }

  /// The word after a waiter was added, nil when the count is 0 and no wait is needed.
  var awaited: GroupWord? { count == 0 ? nil : GroupWord(bits: bits | 1) }
}
