import QueueRuntime

/// Deliveries of one operation that wait for its handler, which is never called twice at once.
struct Outbox<Delivery> {
  private var pending = FirstInFirstOut<Delivery>()
  private var isScheduled = false

  /// How many deliveries wait for the handler to take them.
  var count: Int { pending.count }
  var isEmpty: Bool { pending.isEmpty }

  /// Adds a delivery behind all others.
  ///
  /// - Returns: Whether the handler's queue must be asked to come for it.
  mutating func append(_ delivery: Delivery) -> Bool {
    pending.append(delivery)
    defer { isScheduled = true }
    return !isScheduled
  }

  /// The next delivery.
  mutating func next() -> Delivery? { pending.popFirst() }

  /// Ends a visit of the handler's queue.
  ///
  /// - Returns: Whether the queue must be asked to come again; else the next `append` asks.
  mutating func endVisit() -> Bool {
    isScheduled = !pending.isEmpty
    return isScheduled
  }
}
