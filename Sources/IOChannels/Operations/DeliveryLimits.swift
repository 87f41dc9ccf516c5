import IOChannelsEngine

/// How a channel cuts bytes into deliveries, fixed for an operation when it is submitted.
struct DeliveryLimits: Hashable, Sendable {
  /// The most bytes of one transfer (S18), unless a single region of a write is longer (S24).
  let step: Int

  /// Fewer bytes are delivered only at the end of an operation (S19).
  private(set) var lowWater: Int
  /// More bytes are never delivered at once (S19).
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
