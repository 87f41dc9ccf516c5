internal import IOChannelsLocks

/// Deliveries of one operation that wait for its handler, which is never called twice at once.
///
/// The handler's queue is asked for a visit as soon as there is something that the visit under way
/// does not take: so what comes later, of this operation or of the next one, is called later.
struct Outbox<Delivery> {
  private var pending = FirstInFirstOut<Delivery>()
  /// Whether the queue was asked to come, and has not come since.
  private var isScheduled = false
  private var isVisited = false
  /// Whether the queue came while a visit was under way, as one does that runs its work side by
  /// side.
  private var wasMissed = false
  /// Visits that threads have decided on and not submitted to the queue yet.
  private var unsubmitted = 0

  /// Whether all deliveries have their place in the queue.
  var isSubmitted: Bool { unsubmitted == 0 }

  var isEmpty: Bool { pending.isEmpty }

  /// Adds a delivery behind all others.
  ///
  /// - Returns: Whether the handler's queue must be asked to come for it.
  mutating func append(_ delivery: Delivery) -> Bool {
    pending.append(delivery)
    defer { isScheduled = true }
    return !isScheduled
  }

  /// Notes that a thread asks the queue to come once it has let go of the lock.
  mutating func willSubmit() { unsubmitted += 1 }

  /// Notes that such a visit has its place in the queue.
  mutating func submitted() { unsubmitted -= 1 }

  /// Begins a visit of the handler's queue.
  ///
  /// - Returns: How many deliveries it takes; `nil` when another visit is under way, which asks for
  ///   this one again.
  mutating func beginVisit() -> Int? {
    if isVisited {
      wasMissed = true
      return nil
    }
    isVisited = true
    isScheduled = false
    return pending.count
  }

  /// The next delivery.
  mutating func next() -> Delivery? { pending.popFirst() }

  /// Ends a visit.
  ///
  /// - Returns: Whether the queue must be asked to come again.
  mutating func endVisit() -> Bool {
    defer { (isVisited, wasMissed) = (false, false) }
    return wasMissed
  }
}
