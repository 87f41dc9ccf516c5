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

  /// Entries that a barrier, or the bound, holds back.
  private var waiting = FirstInFirstOut<Entry>()
  /// Operations behind another one of their line.
  private var lines: [OperationLine: FirstInFirstOut<Operation>] = [:]
  private var busyLines: Set<OperationLine> = []
  /// Whether reads and writes of streams have one line, as where they share a position.
  private var hasOneLine = false
  private var positionedCount = 0
  /// Operations that were let past the last barrier and have not ended.
  private var activeCount = 0
  private var isBarrierRunning = false

  /// Whether nothing runs and nothing waits.
  var isIdle: Bool { activeCount == 0 && !isBarrierRunning && waiting.isEmpty }

  /// Lets reads and writes of streams wait for each other, of which at most one has begun.
  mutating func joinLines() {
    hasOneLine = true
    if busyLines.remove(.writing) != nil { busyLines.insert(.reading) }
  }

  /// Takes an operation behind all others.
  mutating func submit(_ operation: Operation, on line: OperationLine) {
    waiting.append(.operation(operation, line))
  }

  /// Takes a positioned operation that is made at once, unless something would be passed over.
  ///
  /// - Returns: Whether it may be made; its end has to be told.
  mutating func beginAtOnce() -> Bool {
    guard !isBarrierRunning, waiting.isEmpty, positionedCount < Self.positionedLimit else {
      return false
    }
    positionedCount += 1
    activeCount += 1
    return true
  }

  /// Takes a barrier behind all operations.
  mutating func submitBarrier(_ barrier: Barrier) {
    waiting.append(.barrier(barrier))
  }

  /// Notes that an operation has ended.
  mutating func ended(on line: OperationLine) {
    if line == .alone { return isBarrierRunning = false }
    activeCount -= 1
    switch line {
    case .positioned: positionedCount -= 1
    case .reading, .writing: busyLines.remove(effective(line))
    case .immediate, .alone: break
    }
  }

  /// Notes that the code of a barrier has returned.
  mutating func barrierEnded() {
    isBarrierRunning = false
  }

  private func effective(_ line: OperationLine) -> OperationLine {
    hasOneLine && line == .writing ? .reading : line
  }

  /// What may begin now; call until there is nothing.
  ///
  /// Unless `takesNew` only what was let past the barriers before it is looked at.
  mutating func next(takesNew: Bool = true) -> Step? {
    for line in [OperationLine.reading, .writing] where !busyLines.contains(line) {
      guard let operation = lines[line]?.popFirst() else { continue }
      busyLines.insert(line)
      return .start(operation)
    }
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
        isBarrierRunning = true
        return .runBarrier(barrier)
      case .operation(let operation, .alone):
        guard activeCount == 0 else { return nil }
        _ = waiting.popFirst()
        isBarrierRunning = true
        return .start(operation)
      case .operation(let operation, let line):
        if line == .positioned, positionedCount >= Self.positionedLimit { return nil }
        _ = waiting.popFirst()
        activeCount += 1
        if letsStart(operation, on: effective(line)) { return .start(operation) }
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
    case .reading, .writing:
      #if MUTANTS
        if Mutant.streamsOverlap.isActive { return true }
      #endif
      if busyLines.insert(line).inserted { return true }
      lines[line, default: FirstInFirstOut()].append(operation)
      return false
    }
  }
}
