import IOChannelsEngine

/// The sizes of deliveries, which an operation copies from its channel when it is submitted.
struct DeliveryLimits: Hashable, Sendable {
  /// The most bytes of one transfer (S18), unless a single region of a write is longer (S24).
  let step: Int

  /// The fewest bytes of a delivery, except at the end of an operation (S19).
  private(set) var lowWater: Int
  /// The most bytes of a delivery (S19).
  private(set) var highWater = Int.max

  init(step: Int = TransferSizes().step) {
    self.step = step
    lowWater = step
  }

  /// Sets the low mark and raises the high mark to it (S17).
  mutating func setLowWater(_ bytes: Int) {
    if highWater < bytes { highWater = max(bytes, 1) }
    lowWater = bytes
  }

  /// Sets the high mark and lowers the low mark to it (S17).
  mutating func setHighWater(_ bytes: Int) {
    highWater = max(bytes, 1)
    if lowWater > bytes { lowWater = bytes }
  }
}
