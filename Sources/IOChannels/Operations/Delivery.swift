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
