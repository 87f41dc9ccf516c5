/// The identity of an operation in its channel.
struct OperationID: Sendable {
  /// The place among all operations of the channel.
  let number: Int
  /// The place among the open operations, which another one gets afterwards.
  let slot: Int
}

/// The operations of a channel whose last handler has not returned.
///
/// There may be a hundred thousand of them, so they have slots instead of keys that are hashed.
struct OpenOperations: Sendable {
  private var slots: [(any ChannelOperation)?] = []
  private var free: [Int] = []

  /// The number of operations.
  var count: Int { slots.count - free.count }

  /// Whether there is no operation.
  var isEmpty: Bool { count == 0 }

  /// The slot that the next operation gets.
  var nextSlot: Int { free.last ?? slots.count }

  /// The operations, in the order of their submission.
  var all: [any ChannelOperation] {
    slots.compactMap { $0 }.sorted { $0.number < $1.number }
  }

  /// Adds an operation in the next slot.
  ///
  /// - Complexity: O(1), amortised
  mutating func add(_ operation: any ChannelOperation) {
    if let slot = free.popLast() { slots[slot] = operation } else { slots.append(operation) }
  }

  /// Removes the operation in a slot.
  ///
  /// - Complexity: O(1), amortised
  mutating func remove(_ slot: Int) {
    slots[slot] = nil
    free.append(slot)
  }
}
