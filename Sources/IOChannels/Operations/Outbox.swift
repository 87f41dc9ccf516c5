import QueueRuntime

/// Deliveries of one operation that wait for its handler, which is never called twice at once.
struct Outbox<Delivery> {
  private var pending = FirstInFirstOut<Delivery>()
  private var isScheduled = false

  /// Whether no delivery waits for the handler to take it.
  var isEmpty: Bool { pending.isEmpty }

  /// Adds a delivery behind all others.
  ///
  /// - Returns: Whether the handler's queue must be asked to come for it.
  mutating func append(_ delivery: Delivery) -> Bool {
    pending.append(delivery)
    defer { isScheduled = true }
    return !isScheduled
  }

  /// The next delivery; `nil` lets go of the handler until the next `append` asks again.
  mutating func next() -> Delivery? {
    if let delivery = pending.popFirst() { return delivery }
    isScheduled = false
    return nil
  }
}
