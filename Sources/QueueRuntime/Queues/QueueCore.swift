/// The core of a queue: the list of its work and the rule that decides when the work runs.
protocol QueueCore: AnyObject, Sendable {
  /// Whether the queue runs one closure at a time.
  var isSerial: Bool { get }

  /// The amount of work ever added and ever removed, for debugging.
  var counts: (added: Int, taken: Int) { get }

  /// Whether work runs or is about to, unless the queue is stopped; for debugging.
  var isHeld: Bool { get }

  /// Adds work; the first addition has to submit a drain of the queue.
  ///
  /// With memory of the caller, no other is allocated.
  func add(
    _ work: consuming QueuedWork,
    isBarrier: Bool,
    in queue: WorkQueue,
    for cause: DrainCause,
    memory: WorkMemory?
  )

  /// Submits a drain of the remaining work; only the holder may call this.
  ///
  /// The remaining work may contain handlers, which a full pool must not delay.
  func submitRest(of queue: WorkQueue)

  /// Runs the queue's work, on a thread of the queue's target.
  func drain(_ queue: WorkQueue)

  /// Acquires the queue for the calling thread if it is free at once.
  ///
  /// - Returns: The way in which the thread occupies the queue, `none` if the queue is not free.
  func tryEnter(_ queue: WorkQueue, isBarrier: Bool) -> QueueFrame.Occupation

  /// Acquires the queue for the calling thread in submission order.
  ///
  /// - Returns: The way in which the thread occupies the queue.
  func enter(_ queue: WorkQueue, isBarrier: Bool) -> QueueFrame.Occupation

  /// Stops the program when the calling thread, which has to wait for the queue, would wait for
  /// itself.
  func checkThatCallerMayWait(for queue: WorkQueue, isBarrier: Bool)

  /// Releases the queue of a thread, with the result of `enter`.
  func exit(_ queue: WorkQueue, from occupation: QueueFrame.Occupation)
}

/// One entry in the list of a queue.
struct QueueEntry: ~Copyable, Sendable {
  var work: QueuedWork
  var isBarrier = false
  var isDelivery = false

  /// The gate of the waiting thread, if the entry has one.
  var gate: SyncGate? { work.gate }

  /// Whether a spare thread may take the entry: it admits a waiting thread, or is a delivery.
  var isForSpareThreads: Bool { isDelivery || gate != nil }
}

/// The cause of a drain.
struct DrainCause: Sendable {
  /// The class of the work that causes the drain, if it has one.
  var qos: WorkQueue.QoS.QoSClass?
  /// Whether the work reports the end of an operation, which a full pool must not delay (S38).
  var isDelivery = false
}

/// The batch of work that a thread drains before it checks for other work.
enum DrainBatch {
  /// The number of entries of a batch.
  static let length = 64
}
