/// The machinery that gives a queue's work its turns.
protocol Lane: AnyObject, Sendable {
  /// Whether one piece of work runs at a time.
  var isSerial: Bool { get }

  /// The pieces of work that were ever added and taken; for people who look.
  var counts: (added: Int, taken: Int) { get }

  /// Whether something runs or is about to, unless the queue is stopped; for people who look.
  var isHeld: Bool { get }

  /// Adds work; the first one has to see to it that the queue is drained.
  func add(
    _ work: consuming QueuedWork,
    isBarrier: Bool,
    in queue: WorkQueue,
    for cause: DrainCause
  )

  /// Has what is left drained; only the holder may call this.
  ///
  /// Whatever the holder came for, handlers may be among what is left, which no full pool delays.
  func submitRest(of queue: WorkQueue)

  /// Does what was added, on a thread of the queue's target.
  func drain(_ queue: WorkQueue)

  /// Gets the queue for the calling thread if that can be had at once.
  func tryEnter(_ queue: WorkQueue, isBarrier: Bool) -> Bool

  /// Gets the queue for the calling thread when its turn comes.
  func enter(_ queue: WorkQueue, isBarrier: Bool)

  /// Stops the program when the calling thread, which has to wait for its turn, waits for itself.
  func checkThatCallerMayWait(for queue: WorkQueue, isBarrier: Bool)

  /// Ends a thread's turn.
  func exit(_ queue: WorkQueue, isBarrier: Bool)
}

/// Why a queue is drained.
struct DrainCause: Sendable {
  /// The class of the work that is the reason, if it has one.
  var qos: WorkQueue.QoS.QoSClass?
  /// Whether the work reports the end of an operation, which no full pool delays (S38).
  var isDelivery = false
}

/// What a thread does of a queue's work at a time.
enum Turn {
  /// The pieces of work after which it looks whether others wait for it.
  static let length = 64
}
