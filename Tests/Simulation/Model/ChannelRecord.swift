import IOChannels
import RequestEngine

/// What the user knows of one channel, and what must hold of it.
///
/// `@unchecked Sendable` because handlers hold it; all of a run is on one thread.
final class ChannelRecord: @unchecked Sendable {
  /// The most operations with offsets that have requests at a time.
  private static let positionedLimit = 256

  let kind: IOChannel.Kind
  let file: SimulatedFile
  let descriptor: BorrowedDescriptor
  let openingError: Errno?
  /// The file position when the channel was made.
  let base: Int64
  /// Nil when the user has let it go.
  var channel: IOChannel?
  var lowWater: Int
  var highWater = Int.max
  private(set) var isClosed = false
  private(set) var isStopped = false
  private(set) var hasCleanedUp = false
  private(set) var operations: [OperationRecord] = []
  private var nextSequence = 0
  /// The barriers that have not ended, in order, and the one that began last.
  private var openBarriers: [Int] = []
  private var lastBegun = -1
  private var isBarrierRunning = false
  /// The place in the order from which on the cleanup waits for nothing.
  private var closedAt = Int.max

  init(
    kind: IOChannel.Kind,
    file: SimulatedFile,
    descriptor: BorrowedDescriptor,
    openingError: Errno?,
    base: Int64,
    step: Int
  ) {
    self.kind = kind
    self.file = file
    self.descriptor = descriptor
    self.openingError = openingError
    self.base = base
    lowWater = step
    if openingError != nil { close() }
  }

  /// Whether everything of it that was accepted is over.
  var isIdle: Bool {
    openBarriers.isEmpty && operations.allSatisfy(\.hasReturned)
  }

  func nextPlaceInOrder() -> Int {
    defer { nextSequence += 1 }
    return nextSequence
  }

  /// Which operations wait for each other.
  func line(_ direction: Direction) -> Int {
    kind == .random ? 0 : direction == .write && file.isPollable ? 2 : 1
  }

  func add(_ operation: OperationRecord) {
    operations.append(operation)
  }

  func close() {
    if !isClosed { closedAt = nextSequence }
    isClosed = true
  }

  func stop(_ report: Report) {
    close()
    isStopped = true
    for operation in operations where !operation.isDone {
      if !operation.hasBegun {
        report.count(.stoppedWaiting)
      } else {
        report.count(operation.outstanding > 0 ? .stoppedInFlight : .stoppedBeforeDone)
      }
      operation.wasStopped = true
    }
  }
}

// MARK: - Transfers

extension ChannelRecord {
  /// The operation that asks for a request: channels number what they take in order.
  func operation(of owner: any RequestOwner) -> OperationRecord? {
    guard let number = (owner as? any NumberedOperation)?.number,
      operations.indices.contains(number)
    else { return nil }
    return operations[number]
  }

  /// Where an operation must begin, `nil` where the kernel decides.
  func position(of operation: OperationRecord) -> Int64? {
    switch operation.place {
    case .offset(let offset): offset
    case .nowhere: nil
    case .stream where file.isPollable: nil
    case .stream where file.isAppending && operation.direction == .write: nil
    case .stream: base + movedByStream
    }
  }

  /// How far the operations of a stream have moved the file position.
  var movedByStream: Int64 {
    if kind == .random || file.isPollable { return 0 }
    return operations.reduce(0) { sum, operation in
      file.isAppending && operation.direction == .write ? sum : sum + Int64(operation.moved)
    }
  }

  /// Checks that an operation may transfer now.
  func checkTurn(of operation: OperationRecord, _ report: Report) {
    report.expect(!hasCleanedUp, "I17: a transfer after the cleanup of its channel")
    report.expect(lastBegun < operation.sequence, "I8: an operation runs behind a later barrier")
    report.expect(
      openBarriers.first.map { $0 > operation.sequence } ?? true,
      "I8: an operation overtook a barrier"
    )
    if operation.line == 0, operations.count > Self.positionedLimit {
      let others = operations.count { $0 !== operation && $0.outstanding > 0 }
      report.expect(
        others < Self.positionedLimit,
        "I11: \(others + 1) operations of a channel at a time"
      )
      if others + 1 == Self.positionedLimit { report.count(.crowded) }
    }
    guard operation.line != 0 else { return }
    for other in operations where other !== operation && other.line == operation.line {
      report.expect(
        other.sequence < operation.sequence ? other.outstanding == 0 : !other.hasBegun,
        "I7: two operations of a stream at a time"
      )
    }
  }
}

extension ChannelRecord {
  /// Checks, when only stuck requests are left, that each operation waits for one of those.
  ///
  /// Reads may wait for the memory of a stuck one.
  func checkWaits(memoryIsShort: Bool, _ report: Report) {
    // Those that wait for memory, or behind appends, have begun, too.
    let begun = operations.count {
      !$0.isDone
        && ($0.outstanding > 0 || memoryIsShort || file.isAppending && $0.direction == .write)
    }
    if begun >= Self.positionedLimit { return }
    for operation in operations where !operation.isDone && operation.outstanding == 0 {
      if memoryIsShort, operation.direction == .read {
        report.count(.waitedForMemory)
        continue
      }
      report.count(.waitedBehindStuck)
      let isBehindAnother = operations.contains {
        !$0.isDone && $0.sequence < operation.sequence && $0.line == operation.line
          && operation.line != 0
      }
      // Requests that append follow each other, whatever operations they are of.
      let isBehindAppend =
        file.isAppending && operation.direction == .write
        && operations.contains { $0.direction == .write && $0.outstanding > 0 }
      report.expect(
        isBehindAnother || isBehindAppend
          || openBarriers.first.map { $0 < operation.sequence } ?? false,
        "I16: an operation waits for nothing"
      )
    }
    guard let barrier = openBarriers.first else { return }
    report.expect(
      operations.contains { !$0.isDone && $0.sequence < barrier },
      "I16: a barrier waits for nothing"
    )
  }
}

// MARK: - Barriers and the end

extension ChannelRecord {
  func addBarrier() -> Int {
    let sequence = nextPlaceInOrder()
    openBarriers.append(sequence)
    return sequence
  }

  func barrierBegan(_ sequence: Int, _ report: Report) {
    report.expect(openBarriers.first == sequence, "I8: barriers run out of order")
    report.expect(!isBarrierRunning, "I8: two barriers at a time")
    isBarrierRunning = true
    lastBegun = sequence
    for operation in operations {
      report.expect(
        operation.sequence < sequence ? operation.outstanding == 0 : !operation.hasBegun,
        "I8: a barrier runs beside an operation"
      )
    }
  }

  func barrierEnded() {
    isBarrierRunning = false
    openBarriers.removeFirst()
  }

  func cleanedUp(_ error: Errno?, _ report: Report) {
    report.expect(!hasCleanedUp, "I2: two cleanups of a channel")
    report.expect(isClosed, "I2: a channel that is open was cleaned up")
    report.expect(
      operations.allSatisfy(\.hasReturned) && openBarriers.allSatisfy { $0 >= closedAt },
      "I2: a cleanup before the last handler or barrier has returned"
    )
    report.expect(error == openingError, "S33: a cleanup with a wrong error")
    hasCleanedUp = true
    report.count(.cleanedUp)
  }
}
