internal import IOChannelsLocks
import QueueRuntime

/// The ordering constraint of an operation: the operations that it waits for.
enum OrderingConstraint: Hashable, Sendable {
  /// Reads of a stream, or all stream operations at the position of a file.
  case reading
  /// Writes of a stream that reads and writes independently.
  case writing
  /// Operations with offsets of their own.
  case positioned
  /// Operations without bytes, which only wait for barriers (S130).
  case immediate
  /// An operation that waits for all earlier ones and delays all later ones, like a barrier.
  case alone
}

/// The order in which the operations of a descriptor start.
///
/// Operations of one stream run one after the other. Positioned operations run concurrently, up to
/// a bound. A barrier waits for all earlier entries and delays all later ones.
struct OperationOrder<Operation: Sendable, Barrier: Sendable>: Sendable {
  /// The next entry to start.
  enum Step {
    case start(Operation)
    case runBarrier(Barrier)
  }

  /// The largest number of positioned operations of one descriptor that run at once.
  static var positionedLimit: Int { 256 }

  private enum Entry: Sendable {
    case operation(Operation, OrderingConstraint)
    case barrier(Barrier)

    /// The constraint, which for a barrier is that of an operation like it.
    var ordering: OrderingConstraint {
      switch self {
      case .operation(_, let ordering): ordering
      case .barrier: .alone
      }
    }
  }

  /// The queue of the stream operations of one direction, which run one after the other.
  private struct StreamQueue: Sendable {
    var isBusy = false
    /// The operations after the running one.
    var waiting = FirstInFirstOut<Operation>()

    /// Starts an operation, or queues it after the running one.
    mutating func begin(_ operation: Operation) -> Bool {
      if isBusy { waiting.append(operation) }
      defer { isBusy = true }
      return !isBusy
    }

    /// Returns the next operation to start.
    mutating func next() -> Operation? {
      guard !isBusy, let operation = waiting.popFirst() else { return nil }
      isBusy = true
      return operation
    }
  }

  /// The entries that a barrier, or the bound, delays.
  private var waiting = FirstInFirstOut<Entry>()
  private var reading = StreamQueue()
  private var writing = StreamQueue()
  /// Whether reads and writes have one queue, as where they share a position.
  private var hasOneStream = false
  private var positionedCount = 0
  /// The number of operations admitted since the last barrier that have not ended.
  private var activeCount = 0
  private var isBarrierRunning = false
  /// The number of waiting barriers, and of operations like them.
  private var waitingBarrierCount = 0

  /// Whether no entry runs or waits.
  var isIdle: Bool { activeCount == 0 && !isBarrierRunning && waiting.isEmpty }

  /// Whether entries wait for a barrier or for the bound.
  var isAnyWaiting: Bool { !waiting.isEmpty }

  /// The number of operations that transfer bytes now.
  var runningCount: Int {
    positionedCount + (reading.isBusy ? 1 : 0) + (writing.isBusy ? 1 : 0)
  }

  /// Joins the queues of reads and writes, of which at most one operation has begun.
  mutating func joinStreams() {
    hasOneStream = true
    if writing.isBusy { swap(&reading, &writing) }
  }

  /// Adds an operation after all others.
  mutating func submit(_ operation: consuming Operation, on ordering: OrderingConstraint) {
    if ordering == .alone { waitingBarrierCount += 1 }
    waiting.append(.operation(operation, ordering))
  }

  /// Admits a positioned operation that runs on the caller's thread, unless it would pass a
  /// barrier.
  ///
  /// It may pass other waiting operations: positioned operations have no order, and these do not
  /// wait longer for it.
  ///
  /// - Returns: Whether it may run; its end has to be reported.
  mutating func beginAtOnce() -> Bool {
    guard !isBarrierRunning, waitingBarrierCount == 0 else { return false }
    positionedCount += 1
    activeCount += 1
    return true
  }

  /// Adds a barrier after all operations.
  mutating func submitBarrier(_ barrier: Barrier) {
    waitingBarrierCount += 1
    waiting.append(.barrier(barrier))
  }

  /// Records that an operation has ended.
  mutating func ended(on ordering: OrderingConstraint) {
    if ordering == .alone { return isBarrierRunning = false }
    activeCount -= 1
    switch ordering {
    case .positioned: positionedCount -= 1
    case .writing where !hasOneStream: writing.isBusy = false
    case .reading, .writing: reading.isBusy = false
    case .immediate, .alone: break
    }
  }

  /// Records that the closure of a barrier has returned.
  mutating func barrierEnded() {
    isBarrierRunning = false
  }

  /// Returns the next entry to start; the caller repeats it until the result is nil.
  ///
  /// Unless `takesNew`, only entries admitted by earlier barriers are considered.
  mutating func next(takesNew: Bool = true) -> Step? {
    if let operation = reading.next() ?? writing.next() { return .start(operation) }
    while takesNew, !isBarrierRunning, mayStartFirst, let entry = waiting.popFirst() {
      switch entry {
      case .barrier(let barrier):
        waitingBarrierCount -= 1
        isBarrierRunning = true
        return .runBarrier(barrier)
      case .operation(let operation, .alone):
        waitingBarrierCount -= 1
        isBarrierRunning = true
        return .start(operation)
      case .operation(let operation, let ordering):
        activeCount += 1
        if startOrQueue(operation, on: ordering) { return .start(operation) }
      }
    }
    return nil
  }

  /// Whether neither earlier entries nor the bound delay the first waiting one.
  private var mayStartFirst: Bool {
    switch waiting.first?.ordering {
    case .alone: activeCount == 0
    case .positioned: positionedCount < Self.positionedLimit
    case .reading, .writing, .immediate, nil: true
    }
  }

  /// Starts an operation, or queues it after the running one of its stream.
  private mutating func startOrQueue(_ operation: Operation, on ordering: OrderingConstraint)
    -> Bool
  {
    switch ordering {
    case .immediate, .alone:
      return true
    case .positioned:
      positionedCount += 1
      return true
    case .writing where !hasOneStream:
      return writing.begin(operation)
    case .reading, .writing:
      return reading.begin(operation)
    }
  }
}
