import DataRegions
import IOChannelsSystem

/// The arguments of one call of a handler.
struct Delivery: Sendable {
  let isDone: Bool
  let data: DataBuffer?
  let error: SystemError?
  /// The bytes of the budget that are in use until the handler has returned.
  var memory = 0
}

extension Delivery {
  /// Creates the delivery of bytes that were read, which hold memory of the budget.
  init(isDone: Bool, read data: DataBuffer) {
    memory = data.count
    self.isDone = isDone
    self.data = data
    error = nil
  }
}
