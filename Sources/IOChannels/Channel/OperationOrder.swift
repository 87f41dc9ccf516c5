import QueueRuntime

#if MUTANTS
  import RequestEngine
#endif

/// What may run beside what.
enum OperationLine: Hashable, Sendable {
  /// Reads of a stream, or everything at the position of a file.
  case reading
  /// Writes of a stream that goes both ways.
  case writing
  /// Operations with offsets of their own.
  case positioned
  /// Operations without bytes, which wait for barriers only (S130).
  case immediate
  /// One that waits for everything before it and holds back everything behind it, like a barrier.
  case alone
}

/// When the operations of a descriptor start, in the order in which they were submitted.
///
/// Streams of one line run one after the other; positioned operations run together, up to a bound;
/// a barrier waits for everything before it and holds back everything behind it.
struct OperationOrder<Operation: Sendable, Barrier: Sendable>: Sendable {
  /// What begins.
  enum Step {
    case start(Operation)
    case runBarrier(Barrier)
  }

  /// More positioned operations of one descriptor wait for their turn.
  static var positionedLimit: Int { 256 }

  private enum Entry: Sendable {
    case operation(Operation, OperationLine)
    case barrier(Barrier)
  }

  /// Streams of one direction, one after the other.
  private struct StreamLine: Sendable {
    var isBusy = false
    /// Operations behind the one that runs.
    var waiting = FirstInFirstOut<Operation>()

    /// Lets an operation start, or puts it behind the one that runs.
    mutating func begin(_ operation: Operation) -> Bool {
      #if MUTANTS
        if Mutant.streamsOverlap.isActive { return true }
      #endif
      if isBusy { waiting.append(operation) }
      defer { isBusy = true }
      return !isBusy
    }

    /// The next to start.
    mutating func next() -> Operation? {
      guard !isBusy, let operation = waiting.popFirst() else { return nil }
      isBusy = true
      return operation
    }
  }

  /// Entries that a barrier, or the bound, holds back.
  private var waiting = FirstInFirstOut<Entry>()
  private var reading = StreamLine()
  private var writing = StreamLine()
  /// Whether reads and writes of streams have one line, as where they share a position.
  private var hasOneLine = false
  private var positionedCount = 0
  /// Operations that were let past the last barrier and have not ended.
  private var activeCount = 0
  private var isBarrierRunning = false
  /// Barriers, and operations like them, among those that wait.
  private var waitingBarrierCount = 0

  /// Whether nothing runs and nothing waits.
  var isIdle: Bool { activeCount == 0 && !isBarrierRunning && waiting.isEmpty }

  /// The operations that move bytes now.
  var runningCount: Int {
    positionedCount + (reading.isBusy ? 1 : 0) + (writing.isBusy ? 1 : 0)
  }

  /// Lets reads and writes of streams wait for each other, of which at most one has begun.
  mutating func joinLines() {
    hasOneLine = true
    if writing.isBusy { swap(&reading, &writing) }
  }

  /// Takes an operation behind all others.
  mutating func submit(_ operation: Operation, on line: OperationLine) {
    if line == .alone { waitingBarrierCount += 1 }
    waiting.append(.operation(operation, line))
  }

  /// Takes a positioned operation that is made at once, unless a barrier would be passed over.
  ///
  /// Others that wait are, for there is no order among them, and they do not wait longer for it.
  ///
  /// - Returns: Whether it may be made; its end has to be told.
  mutating func beginAtOnce() -> Bool {
    #if MUTANTS
      let passes = Mutant.readAtOncePassesBarrier.isActive
    #else
      let passes = false
    #endif
    guard passes || !isBarrierRunning && waitingBarrierCount == 0 else { return false }
    positionedCount += 1
    activeCount += 1
    return true
  }

  /// Takes a barrier behind all operations.
  mutating func submitBarrier(_ barrier: Barrier) {
    waitingBarrierCount += 1
    waiting.append(.barrier(barrier))
  }

  /// Notes that an operation has ended.
  mutating func ended(on line: OperationLine) {
    if line == .alone { return isBarrierRunning = false }
    activeCount -= 1
    switch line {
    case .positioned: positionedCount -= 1
    case .writing where !hasOneLine: writing.isBusy = false
    case .reading, .writing: reading.isBusy = false
    case .immediate, .alone: break
    }
  }

  /// Notes that the code of a barrier has returned.
  mutating func barrierEnded() {
    isBarrierRunning = false
  }

  /// What may begin now; call until there is nothing.
  ///
  /// Unless `takesNew` only what was let past the barriers before it is looked at.
  mutating func next(takesNew: Bool = true) -> Step? {
    if let operation = reading.next() ?? writing.next() { return .start(operation) }
    while takesNew, !isBarrierRunning, let entry = waiting.first {
      switch entry {
      case .barrier(let barrier):
        #if MUTANTS
          let bound = Mutant.barrierWithOneLeft.isActive ? 1 : 0
        #else
          let bound = 0
        #endif
        guard activeCount <= bound else { return nil }
        _ = waiting.popFirst()
        waitingBarrierCount -= 1
        isBarrierRunning = true
        return .runBarrier(barrier)
      case .operation(let operation, .alone):
        guard activeCount == 0 else { return nil }
        _ = waiting.popFirst()
        waitingBarrierCount -= 1
        isBarrierRunning = true
        return .start(operation)
      case .operation(let operation, let line):
        if line == .positioned, positionedCount >= Self.positionedLimit { return nil }
        _ = waiting.popFirst()
        activeCount += 1
        if letsStart(operation, on: line) { return .start(operation) }
      }
    }
    return nil
  }

  /// Lets an operation start, or puts it behind the one that its line has.
  private mutating func letsStart(_ operation: Operation, on line: OperationLine) -> Bool {
    switch line {
    case .immediate, .alone:
      return true
    case .positioned:
      positionedCount += 1
      return true
    case .writing where !hasOneLine:
      return writing.begin(operation)
    case .reading, .writing:
      return reading.begin(operation)
    }
  }
}
