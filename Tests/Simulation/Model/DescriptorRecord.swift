import IOChannelsEngine
import IOChannelsSystem

/// What must hold among the channels of one descriptor.
///
/// `@unchecked Sendable` because handlers hold it; all of a run is on one thread.
final class DescriptorRecord: @unchecked Sendable {
  /// The most operations with offsets that have requests at a time.
  static let positionedLimit = 256

  struct Barrier {
    let sequence: Int
    let channel: ObjectIdentifier
  }

  /// What the channels share; kept, so that no other one has its address.
  let sharedState: AnyObject
  private(set) var channels: [ChannelRecord] = []
  /// In the order of submission.
  private(set) var operations: [OperationRecord] = []
  private var nextSequence = 0
  /// Whether the descriptor was looked at and can be used.
  var isKnown = false
  /// The barriers that have not ended, in order, and the one that began last.
  private(set) var openBarriers: [Barrier] = []
  private var lastBegun = -1
  private var isBarrierRunning = false

  init(sharedState: AnyObject) {
    self.sharedState = sharedState
  }

  func nextPlaceInOrder() -> Int {
    defer { nextSequence += 1 }
    return nextSequence
  }

  /// The place in the order of what is submitted next.
  var end: Int { nextSequence }

  func add(_ channel: ChannelRecord) {
    channels.append(channel)
  }

  func add(_ operation: OperationRecord) {
    operations.append(operation)
  }

  /// Lets go of its channels, at the end of a run.
  func forget() {
    channels = []
  }

  /// Checks that an operation may transfer now.
  func checkTurn(of operation: OperationRecord, _ report: Report) {
    report.expect(lastBegun < operation.sequence, "I8: an operation runs behind a later barrier")
    report.expect(
      openBarriers.first.map { $0.sequence > operation.sequence } ?? true,
      "I8: an operation overtook a barrier"
    )
    if operation.line == 0, operations.count > Self.positionedLimit {
      let others = operations.count {
        $0 !== operation && $0.line == 0 && $0.outstanding > 0
      }
      report.expect(
        others < Self.positionedLimit,
        "I11: \(others + 1) operations of a descriptor at a time"
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

extension DescriptorRecord {
  /// Checks that an operation that delivers does not wait for its turn.
  func checkDelivery(of operation: OperationRecord, _ report: Report) {
    report.expect(
      openBarriers.first.map { $0.sequence > operation.sequence } ?? true,
      "S136: a delivery of an operation behind a barrier"
    )
    guard operation.line != 0, operation.needsTransfers else { return }
    report.expect(
      !operations.contains {
        $0.line == operation.line && $0.sequence < operation.sequence && $0.outstanding > 0
      },
      "S136: a delivery of an operation behind another one"
    )
  }
}

// MARK: - Barriers

extension DescriptorRecord {
  func addBarrier(of channel: ChannelRecord) -> Int {
    let sequence = nextPlaceInOrder()
    openBarriers.append(Barrier(sequence: sequence, channel: ObjectIdentifier(channel)))
    return sequence
  }

  func barrierBegan(_ sequence: Int, _ report: Report) {
    report.expect(openBarriers.first?.sequence == sequence, "I8: barriers run out of order")
    report.expect(!isBarrierRunning, "I8: two barriers at a time")
    isBarrierRunning = true
    lastBegun = sequence
    for operation in operations {
      report.expect(
        operation.sequence < sequence ? operation.outstanding == 0 : !operation.hasBegun,
        "I8: a barrier runs beside an operation"
      )
    }
    if channels.count > 1 { report.count(.barrierOfSeveral) }
  }

  func barrierEnded() {
    isBarrierRunning = false
    openBarriers.removeFirst()
  }
}

// MARK: - Waiting

extension DescriptorRecord {
  /// Checks, when only stuck requests are left, that each operation waits for one of those.
  ///
  /// Reads may wait for the memory of a stuck one.
  func checkWaits(memoryIsShort: Bool, _ file: SimulatedFile, _ report: Report) {
    // Requests that append follow each other, whatever operations they are of.
    let appends =
      file.isAppending
      && operations.contains { $0.direction == .write && $0.outstanding > 0 }
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
      report.expect(
        isBehindAnother || appends && operation.direction == .write
          || openBarriers.first.map { $0.sequence < operation.sequence } ?? false,
        "I16: an operation waits for nothing"
      )
    }
    guard let barrier = openBarriers.first else { return }
    report.expect(
      operations.contains { !$0.isDone && $0.sequence < barrier.sequence },
      "I16: a barrier waits for nothing"
    )
  }
}
