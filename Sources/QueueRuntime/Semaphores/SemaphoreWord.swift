/// The word of a semaphore: the permits left, or minus the number of those who wait.
struct SemaphoreWord: StateWord, Hashable {
  /// The number as two's complement.
  let bits: UInt64

  init(bits: UInt64) {
    self.bits = bits
  }

  init(value: Int) {
    self.init(bits: UInt64(bitPattern: Int64(value)))
  }

  var value: Int { Int(Int64(bitPattern: bits)) }

  /// What giving and taking a permit add to the bits.
  static let giving: Int64 = 1
  static let taking: Int64 = -1

  /// The word after somebody gave a permit, and whether it goes to somebody who waits.
  var given: (next: SemaphoreWord, hasTaker: Bool) {
    let (next, overflow) = value.addingReportingOverflow(1)
    requireUse(!overflow, "The number of permits of a semaphore fits in Int.", "S87")
    return (SemaphoreWord(value: next), value < 0)
  }

  /// The word after somebody asked for a permit, and whether he has to wait for it.
  var taken: (next: SemaphoreWord, mustWait: Bool) {
    (SemaphoreWord(value: value - 1), value <= 0)
  }

  /// The word after somebody took a permit who would not wait, nil when there is none.
  var takenIfAny: SemaphoreWord? { value > 0 ? SemaphoreWord(value: value - 1) : nil }

  /// The word after one of those who wait went away, nil when all have permits on their way.
  var givenUp: SemaphoreWord? { value < 0 ? SemaphoreWord(value: value + 1) : nil }
}
