import DataRegions
import IOChannelsEngine
import Synchronization
import IOChannelsSystem

/// What the user and the kernel saw of one operation, and what must hold of it.
///
/// `@unchecked Sendable` because handlers hold it; all of a run is on one thread.
final class OperationRecord: @unchecked Sendable {
  /// How the operation finds its bytes, as the model expects it.
  enum Place {
    case offset(Int64)
    case stream
    case nowhere
  }

  /// What the kernel means as "not now" or "not this way".
  private static let neverShown: Set<SystemError> = [
    .interrupted, .resourceTemporarilyUnavailable, .notSupported,
  ]

  let direction: Direction
  /// The place among operations and barriers of the channel.
  let sequence: Int
  let line: Int
  let place: Place
  /// The bytes asked for, `Int.max` for all.
  let length: Int
  /// Where the bytes of a write begin in the pattern.
  let payloadStart: Int
  let lowWater: Int
  let highWater: Int
  /// Whether it delivers in time, whatever has come.
  let hasInterval: Bool
  /// Why the channel does not take it, if it does not.
  let refusal: SystemError?
  /// What its channel was made of, unless that is a descriptor.
  let path: PathRecord?

  /// Where the first transfer began, `nil` before it and where the kernel decides.
  private(set) var first: Int64?
  private(set) var hasBegun = false
  /// Whether a thread has looked for its bytes in memory.
  private var hasLooked = false
  /// Who asks for its requests, once that was seen.
  var owner: ObjectIdentifier?
  var wasStopped = false
  private(set) var isDone = false
  private(set) var hasReturned = false
  private var isInHandler = false

  private(set) var outstanding = 0
  private var outstandingBytes = 0
  private var wasShort = false
  /// The bytes of a read, as the kernel gave them, without a gap; of a write their number.
  private var received: [UInt8] = []
  private(set) var moved = 0
  /// Answers that came before those of earlier bytes.
  private var early: [Int: ArraySlice<UInt8>] = [:]
  private var failures: [Int: SystemError] = [:]
  private var emptyAnswers: Set<Int> = []

  /// How many bytes handlers were told of.
  private var told = 0
  private var returned = 0
  /// A delivery below the low mark must be the last before the end.
  private var mustEnd = false

  init(
    direction: Direction,
    sequence: Int,
    line: Int,
    place: Place,
    length: Int,
    payloadStart: Int,
    lowWater: Int,
    highWater: Int,
    hasInterval: Bool,
    refusal: SystemError?,
    path: PathRecord? = nil
  ) {
    self.direction = direction
    self.sequence = sequence
    self.line = line
    self.place = place
    self.length = length
    self.payloadStart = payloadStart
    self.lowWater = lowWater
    self.highWater = highWater
    self.hasInterval = hasInterval
    self.refusal = refusal
    self.path = path
  }

  /// Whether it asks the kernel for anything.
  var needsTransfers: Bool {
    if case .nowhere = place { return false }
    return refusal == nil && length > 0
  }
}

// MARK: - Transfers

extension OperationRecord {
  /// Checks a request and gives the offset of its first byte in the operation.
  func submitted(
    _ request: Request,
    position: Int64?,
    _ sizes: TransferSizes,
    _ report: Report
  ) -> Int {
    if !hasBegun {
      hasBegun = true
      first = position
    }
    report.expect(request.direction == direction, "I4: a transfer goes the wrong way")
    report.expect(needsTransfers, "I5: a transfer of an operation that needs none")
    report.expect(!isDone, "I9: a request was submitted after the end of its operation")
    // An append that waited for another one goes to the backend to be ended there.
    let isCancelled = request.isCancelled.load(ordering: .relaxed)
    report.expect(!wasStopped || isCancelled, "I9: a request was submitted after a stop")
    var relative = moved
    if let first, let offset = request.offset {
      relative = Int(clamping: offset.subtractingReportingOverflow(first).partialValue)
      report.expect(offset >= first, "I5: a transfer begins before its operation")
    } else {
      report.expect(
        request.offset == first,
        "I5: an offset of \(request.offset ?? -1) instead of \(first ?? -1)"
      )
      report.expect(outstanding == 0, "I7: two transfers without offsets at a time")
    }
    let count = request.length
    let room = direction == .read ? min(request.traits.messageRoom, sizes.step) : 1
    report.expect(
      count > 0 && count <= max(highWater, room),
      "I12: a transfer above the high mark"
    )
    report.expect(
      count >= min(room, length - relative),
      "S321: a read without room for a packet"
    )
    report.expect(
      relative >= 0 && relative <= length - count,
      "I5: a transfer outside of its operation"
    )
    switch request.operation {
    case .read: checkRead(at: relative, count, sizes, report)
    case .write(let data): checkWrite(data, at: relative, sizes, report)
    default: report.expect(false, "channels ask for transfers only")
    }
    if wasShort, relative == moved {
      report.count(direction == .read ? .shortReadResumed : .shortWriteResumed)
      wasShort = false
    }
    outstanding += 1
    outstandingBytes += count
    return relative
  }

  private func checkRead(at offset: Int, _ count: Int, _ sizes: TransferSizes, _ report: Report) {
    report.expect(count <= sizes.step, "I11: a read of more than a step")
    report.expect(
      offset >= moved && early[offset] == nil,
      "I5: bytes \(offset) were read twice, \(moved) are there"
    )
    // What waits for more to be delivered is the user's wish, and not held back.
    let waiting = min(lowWater, highWater).addingSaturating(8 * sizes.step)
    report.expect(
      outstandingBytes + moved - returned <= sizes.window.addingSaturating(waiting),
      "I11: a read runs ahead of its handlers by more than its window"
    )
  }

  private func checkWrite(
    _ data: DataBuffer,
    at offset: Int,
    _ sizes: TransferSizes,
    _ report: Report
  ) {
    report.expect(outstanding == 0, "I4: two transfers of a write at a time")
    report.expect(offset == moved, "I5: a write goes on at \(offset) instead of \(moved)")
    report.expect(
      SimulatedMemory.equal(data, Pattern.bytes, at: payloadStart + offset),
      "I4: a write has other bytes than it was given"
    )
    let regions = data.regions.count
    report.expect(
      regions == 1 || data.count <= sizes.step && regions <= Request.regionLimit,
      "S24: a write of \(data.count) bytes in \(regions) regions"
    )
    if regions == Request.regionLimit { report.count(.writeOfManyRegions) }
  }

  /// Takes the final answer of a request.
  func answered(
    _ result: TransferResult,
    at offset: Int,
    count: Int,
    bytes: ArraySlice<UInt8>,
    _ report: Report
  ) {
    outstanding -= 1
    outstandingBytes -= count
    switch result {
    case .failure(let error):
      report.expect(
        error == .canceled ? wasStopped : !Self.neverShown.contains(error),
        "I10: the kernel's \(error) reached an operation"
      )
      failures[offset] = error
    case .success(0):
      emptyAnswers.insert(offset)
    case .success(let answer):
      if answer < count { wasShort = true }
      if direction == .write {
        moved += answer
        return
      }
      early[offset] = bytes
      if offset > moved { report.count(.outOfOrderAnswer) }
      while let next = early.removeValue(forKey: moved) {
        received += next
        moved += next.count
      }
    }
  }
}

extension OperationRecord {
  /// Notes that a thread looks for it in memory, which happens once and before everything else.
  func looks(_ report: Report) {
    report.expect(!hasLooked, "S163: an operation looks twice")
    report.expect(!hasBegun && !isDone, "I9: a look of an operation that has begun")
    report.expect(!wasStopped, "I9: a look after a stop")
    hasLooked = true
    hasBegun = true
    outstanding += 1
  }

  /// Takes what a look has found: all of it, or the end of the file; nil for a part of it, so that
  /// it begins later.
  func lookEnded(_ bytes: ArraySlice<UInt8>?, _ report: Report) {
    report.expect(!isDone, "I3: a read was done while a thread looked for it")
    outstanding -= 1
    guard let bytes else { return hasBegun = false }
    if bytes.isEmpty { emptyAnswers.insert(0) }
    received = Array(bytes)
    moved = bytes.count
  }
}

// MARK: - Handlers

extension OperationRecord {
  /// Checks a call of the handler when it begins.
  func called(_ isDone: Bool, _ data: DataBuffer?, _ error: SystemError?, _ report: Report) {
    report.expect(!self.isDone, "I1: a handler was called after its operation was done")
    report.expect(!isInHandler, "I7: two calls of a handler at a time")
    report.expect(isDone || error == nil, "I6: an error in a call that is not the last")
    isInHandler = true
    if isDone { self.isDone = true }
    if let refusal {
      checkRefusal(refusal, isDone, data, error, report)
    } else if direction == .read {
      calledForRead(isDone, data, error, report)
    } else {
      calledForWrite(isDone, data, error, report)
    }
  }

  /// Notes that a call of the handler has returned.
  func handlerReturned(_ report: Report) {
    isInHandler = false
    if direction == .read, !isDone, outstanding == 0 { report.count(.readWaitedForHandler) }
    if direction == .read { returned = told }
    if isDone { hasReturned = true }
  }

  private func checkRefusal(
    _ refusal: SystemError,
    _ isDone: Bool,
    _ data: DataBuffer?,
    _ error: SystemError?,
    _ report: Report
  ) {
    report.expect(isDone && error == refusal, "I2: what was refused ended with \(text(error))")
    report.count(refusal == .canceled ? .refusedAfterClose : .openingFailed)
    guard direction == .write else { return report.expect(data == nil, "I6: bytes with an error") }
    report.expect(
      data?.count == length
        && SimulatedMemory.equal(data ?? .empty, Pattern.bytes, at: payloadStart),
      "I4: a refused write did not give its bytes back"
    )
  }

  private func calledForRead(
    _ isDone: Bool,
    _ data: DataBuffer?,
    _ error: SystemError?,
    _ report: Report
  ) {
    report.expect((data == nil) == (error != nil), "I6: bytes with an error, or neither")
    let data = data ?? .empty
    report.expect(
      SimulatedMemory.equal(data, received, at: told),
      "I4: \(data.count) bytes at \(told) are not those that the kernel gave"
    )
    told += data.count
    report.expect(data.count <= highWater, "I12: \(data.count) bytes above the mark \(highWater)")
    if data.count == highWater { report.count(.deliveredAtHighWater) }
    guard isDone else {
      report.expect(hasInterval || !data.isEmpty, "I12: a delivery of nothing")
      if data.isEmpty { report.count(.deliveredNothing) }
      report.expect(!mustEnd, "I12: a delivery below the low mark \(lowWater) was not the last")
      mustEnd = data.count < lowWater && !hasInterval
      if mustEnd { report.count(.deliveredBelowLowWater) }
      return
    }
    report.expect(outstanding == 0, "I3: a read was done while the kernel had its memory")
    report.expect(told == moved, "I6: \(moved) bytes came and \(told) were delivered")
    guard error == nil else { return checkError(error, report) }
    let isWhole = told == length
    if !data.isEmpty { report.expect(isWhole && !mustEnd, "S21: the end came with bytes") }
    report.expect(isWhole || emptyAnswers.contains(told), "I5: a read ended before its end")
    report.count(length == 0 ? .nothingToDo : isWhole ? .readItsLength : .readToTheEnd)
  }

  private func calledForWrite(
    _ isDone: Bool,
    _ data: DataBuffer?,
    _ error: SystemError?,
    _ report: Report
  ) {
    let left = data?.count ?? 0
    report.expect(
      SimulatedMemory.equal(data ?? .empty, Pattern.bytes, at: payloadStart + length - left),
      "I4: what remains of a write is not its end"
    )
    let written = length - left
    guard isDone else {
      report.expect(left > 0 && written <= moved, "I4: more was written than the kernel took")
      report.expect(
        hasInterval || written - told >= lowWater,
        "I12: a report below the low mark \(lowWater)"
      )
      if written - told < lowWater { report.count(.reportedByTick) }
      told = written
      return report.count(.writeReported)
    }
    report.expect(outstanding == 0, "I3: a write was done while the kernel had its memory")
    guard let error else {
      report.expect(data == nil && moved == length, "I4: a write ended with \(moved) of \(length)")
      return report.count(length == 0 ? .nothingToDo : .wroteAll)
    }
    report.expect(written == moved, "I4: \(moved) bytes were written, \(written) are reported")
    checkError(error, report)
  }

  /// Whether the error is what the kernel, or a stop, ended the operation with.
  private func checkError(_ error: SystemError?, _ report: Report) {
    let isRead = direction == .read
    if error == .canceled {
      report.expect(wasStopped, "I10: an operation that nobody stopped was cancelled")
      if isRead {
        report.count(moved > 0 ? .readStoppedAfterBytes : .readStopped)
      } else {
        report.count(moved > 0 ? .writeStoppedAfterBytes : .writeStopped)
      }
      return
    }
    if let shown = path?.shownError, shown == error, moved == 0, !hasBegun {
      return report.count(.openingFailedForAll)
    }
    if case .nowhere = place {
      report.expect(error == .invalidArgument, "an offset that no file has: \(text(error))")
      return report.count(.offsetNowhere)
    }
    if isRead, error == .noMemory {
      report.expect(report.has(.memoryRefused), "I10: memory was missing that nobody refused")
      return report.count(.readWithoutMemory)
    }
    let isEmptyWrite = !isRead && error == .ioError && emptyAnswers.contains(moved)
    let isTooFar = error == .invalidArgument && (first ?? 0) > Int64.max - (1 << 32)
    report.expect(
      failures[moved] == error || isEmptyWrite || isTooFar,
      "I10: an error that the kernel did not give: \(text(error))"
    )
    if isRead {
      report.count(moved > 0 ? .readFailedAfterBytes : .readFailed)
    } else {
      report.count(moved > 0 ? .writeFailedAfterBytes : .writeFailed)
    }
  }

  private func text(_ error: SystemError?) -> String {
    error.map { "\($0)" } ?? "no error"
  }
}

extension Int {
  /// The sum, or the largest number.
  func addingSaturating(_ other: Int) -> Int {
    let (sum, isOverflow) = addingReportingOverflow(other)
    return isOverflow ? .max : sum
  }
}
