import QueueRuntime

#if MUTANTS
  import RequestEngine
#endif

/// What may run beside what.
enum OperationLine: Hashable, Sendable {
  /// Reads of a stream, or everything at the position of a file.
  case first
  /// Writes of a stream that goes both ways.
  case second
  /// Operations with offsets of their own.
  case positioned
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
  private var positionedCount = 0
  /// Operations that were let past the last barrier and have not ended.
  private var activeCount = 0
  private var isBarrierRunning = false

  /// Whether nothing runs and nothing waits.
  var isIdle: Bool { activeCount == 0 && !isBarrierRunning && waiting.isEmpty }

  /// Takes an operation behind all others.
  mutating func submit(_ operation: Operation, on line: OperationLine) {
    waiting.append(.operation(operation, line))
  }

  /// Takes a barrier behind all operations.
  mutating func submitBarrier(_ barrier: Barrier) {
    waiting.append(.barrier(barrier))
  }

  /// Notes that an operation has ended.
  mutating func ended(on line: OperationLine) {
    if line == .alone { return isBarrierRunning = false }
    activeCount -= 1
    if line == .positioned {
      positionedCount -= 1
    } else {
      busyLines.remove(line)
    }
  }

  /// Notes that the code of a barrier has returned.
  mutating func barrierEnded() {
    isBarrierRunning = false
  }

  /// What may begin now; call until there is nothing.
  mutating func next() -> Step? {
    for line in [OperationLine.first, .second] where !busyLines.contains(line) {
      guard let operation = lines[line]?.popFirst() else { continue }
      busyLines.insert(line)
      return .start(operation)
    }
    while !isBarrierRunning, let entry = waiting.first {
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
      case .operation(let operation, .positioned):
        guard positionedCount < Self.positionedLimit else { return nil }
        _ = waiting.popFirst()
        positionedCount += 1
        activeCount += 1
        return .start(operation)
      case .operation(let operation, let line):
        _ = waiting.popFirst()
        activeCount += 1
        if busyLines.insert(line).inserted { return .start(operation) }
        lines[line, default: FirstInFirstOut()].append(operation)
      }
    }
    return nil
  }
}
