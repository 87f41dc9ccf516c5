internal import IOChannelsLocks

/// The deliveries of one operation that wait for its handler, which is never called concurrently.
///
/// A work item of the handler's queue calls the handler for a batch: all deliveries that have
/// arrived when the item runs. Later deliveries need another work item, so the handlers of several
/// operations are called in order of arrival.
struct DeliveryQueue<Delivery: Sendable>: Sendable {
  private enum Batch {
    case none
    case running
    /// A concurrent queue has run the next work item meanwhile, which has to be repeated.
    case runningAndMissed
  }

  private var pending = FirstInFirstOut<Delivery>()
  /// The number of pending deliveries that a batch may take, from the first one on.
  private var visibleCount = 0
  /// The number of threads whose actions must precede the deliveries that are not visible.
  private var holdCount = 0
  /// The number of work items that threads have not submitted yet.
  private var unsubmittedCount = 0
  /// Whether a work item was requested that has not run.
  private var isScheduled = false
  private var batch = Batch.none

  /// Whether no delivery is pending.
  var isEmpty: Bool { pending.isEmpty }

  /// Whether every delivery has its place in the handler's queue.
  var isSubmitted: Bool { unsubmittedCount == 0 && holdCount == 0 }

  /// Adds a delivery after all others; `publish` makes it visible.
  mutating func append(_ delivery: Delivery) { pending.append(delivery) }

  /// Keeps deliveries invisible until the matching `endHold`.
  mutating func hold() { holdCount += 1 }

  /// Ends a hold.
  mutating func endHold() { holdCount -= 1 }

  /// Makes all deliveries visible, unless there is a hold.
  ///
  /// - Returns: Whether a work item has to be submitted to the handler's queue.
  mutating func publish() -> Bool {
    guard holdCount == 0, pending.count > visibleCount else { return false }
    visibleCount = pending.count
    defer { isScheduled = true }
    return !isScheduled
  }

  /// Records that a thread is about to submit a work item.
  mutating func willSubmit() { unsubmittedCount += 1 }

  /// Records that the work item was submitted.
  mutating func submitted() { unsubmittedCount -= 1 }

  /// Begins a batch.
  ///
  /// - Returns: The number of deliveries in the batch; nil while another batch is running.
  mutating func beginBatch() -> Int? {
    guard batch == .none else {
      batch = .runningAndMissed
      return nil
    }
    batch = .running
    isScheduled = false
    return visibleCount
  }

  /// Removes and returns the next delivery of the batch.
  mutating func next() -> Delivery? {
    guard visibleCount > 0 else { return nil }
    visibleCount -= 1
    return pending.popFirst()
  }

  /// Ends the batch.
  ///
  /// - Returns: Whether a work item has to be submitted for the next one.
  mutating func endBatch() -> Bool {
    defer { batch = .none }
    return batch == .runningAndMissed
  }
}
