public import IOChannelsLocks

/// The state word of a semaphore: the permits left, or minus the number of waiters.
@usableFromInline
struct SemaphoreWord: StateWord, Hashable {
  /// The number as two's complement.
  @usableFromInline let bits: UInt64

  @inlinable
  init(bits: UInt64) {
    self.bits = bits
  }

  @inlinable
  init(value: Int) {
    self.init(bits: UInt64(bitPattern: Int64(value)))
  }

  @inlinable var value: Int { Int(Int64(bitPattern: bits)) }

  /// The amount that `signal` adds to the bits; `wait` subtracts it.
  @inlinable static var giving: Int64 { 1 }
  @inlinable static var taking: Int64 { -1 }

  /// The word after a `signal`, and whether a waiter gets the permit.
  @inlinable var given: (next: SemaphoreWord, hasTaker: Bool) {
    let (next, overflow) = value.addingReportingOverflow(1)
    requireUse(!overflow, "The number of permits of a semaphore fits in Int.", "S87")
    return (SemaphoreWord(value: next), value < 0)
  }

  /// The word after a `wait`, and whether the caller must wait for a permit.
  @inlinable var taken: (next: SemaphoreWord, mustWait: Bool) {
    (SemaphoreWord(value: value - 1), value <= 0)
  }

  /// The word after a permit was taken without waiting, nil when none is left.
  var takenIfAny: SemaphoreWord? { value > 0 ? SemaphoreWord(value: value - 1) : nil }

  /// The word after a waiter left, nil when all waiters have permits on their way.
  var waitCancelled: SemaphoreWord? { value < 0 ? SemaphoreWord(value: value + 1) : nil }
}
