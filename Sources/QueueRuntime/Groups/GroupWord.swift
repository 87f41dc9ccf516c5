/// The word of a group: how many have entered, whether somebody waits for the count to reach 0, and
/// how often that happened while somebody waited.
///
/// The generation tells those who began to wait before the count reached 0 from those who began
/// after it had been entered again.
struct GroupWord: StateWord, Equatable {
  /// The most that can be inside at once.
  static let countLimit: UInt64 = (1 << 31) - 1

  /// Bit 0: somebody waits; bits 1 to 31: the count; bits 32 to 63: the generation.
  var bits: UInt64 = 0

  var hasWaiters: Bool { bits & 1 != 0 }
  var count: UInt64 { bits >> 1 & Self.countLimit }
  var generation: UInt32 { UInt32(bits >> 32) }

  /// The word after one more has entered.
  var entered: GroupWord {
    requireUse(
      count < Self.countLimit,
      "A group is entered at most 2147483647 times at once.",
      "S86"
    )
    return GroupWord(bits: bits + 2)
  }

  /// The word after one has left, and whether those who waited in this generation may go on.
  var left: (next: GroupWord, releases: Bool) {
    requireUse(count > 0, "A group is left once for each time it was entered.", "S86")
    let next = GroupWord(bits: bits - 2)
    guard next.count == 0 && hasWaiters else { return (next, false) }
    return (GroupWord(bits: UInt64(generation &+ 1) << 32), true)
  }

  /// The word after somebody began to wait, nil when the count is 0 and nobody has to.
  var awaited: GroupWord? { count == 0 ? nil : GroupWord(bits: bits | 1) }
}
