import IOChannels
import IOChannelsEngine

/// What the user knows of one channel, and what must hold of it.
///
/// `@unchecked Sendable` because handlers hold it; all of a run is on one thread.
final class ChannelRecord: @unchecked Sendable {
  let kind: IOChannel.StreamType
  let file: SimulatedFile
  /// Of a path that is not open what names start from.
  private(set) var descriptor: BorrowedDescriptor
  /// What it was made of, unless that is a descriptor.
  let path: PathRecord?
  /// Why it cannot be used.
  let openingError: SystemError?
  /// The file position when the channel was made.
  let base: Int64
  /// Nil when the user has let it go.
  var channel: IOChannel?
  /// What its requests are for, nil for a one-shot transfer of which nothing was seen.
  private(set) var identity: ObjectIdentifier?
  /// Keeps the inside until the cleanup, so that no other one has its address.
  private var inside: AnyObject?
  let shared: DescriptorRecord
  /// The channel beside which a one-shot transfer was asked for.
  private let host: ChannelRecord?
  /// The queue on which its barriers run, as a place among all, nil for the global one.
  var target: Int?
  var lowWater: Int
  var highWater = Int.max
  /// Whether operations deliver in time.
  var hasInterval = false
  private var isMade = false
  private(set) var isClosed = false
  private(set) var isStopped = false
  private(set) var hasCleanedUp = false
  private(set) var operations: [OperationRecord] = []
  /// Reads that were made at once, which the channel does not number.
  private var readsAtOnce: [OperationRecord] = []
  /// The place in the order from which on the cleanup waits for nothing of this channel.
  private var closedAt = Int.max
  /// Channels that were made of this one before its creation was known, and fail with it.
  private var followers: [ChannelRecord] = []

  init(
    _ channel: IOChannel,
    kind: IOChannel.StreamType,
    file: SimulatedFile,
    descriptor: BorrowedDescriptor,
    openingError: SystemError?,
    base: Int64,
    shared: DescriptorRecord,
    path: PathRecord? = nil,
    step: Int
  ) {
    self.base = base
    self.channel = channel
    self.path = path
    host = nil
    inside = channel.inside
    identity = ObjectIdentifier(channel.inside)
    self.kind = kind
    self.file = file
    self.descriptor = descriptor
    self.openingError = openingError
    self.shared = shared
    lowWater = step
    // On a descriptor that is known there is nothing to look at.
    if shared.isKnown { examined() }
  }

  /// Makes that of a one-shot transfer, a stream beside another one.
  init(oneShotBeside host: ChannelRecord) {
    kind = .stream
    (file, descriptor, shared) = (host.file, host.descriptor, host.shared)
    (base, openingError, path) = (0, nil, nil)
    self.host = host
    lowWater = .max
    isMade = true
    isClosed = true
  }

  /// Whether everything of it that was accepted is over.
  var isIdle: Bool {
    shared.openBarriers.isEmpty && operations.allSatisfy(\.hasReturned)
      && readsAtOnce.allSatisfy(\.hasReturned)
  }

  /// Why it does not take an operation, if it does not.
  var refusal: SystemError? { isClosed ? .canceled : openingError }

  /// Which operations wait for each other.
  func line(_ direction: Direction) -> Int {
    kind == .random ? 0 : direction == .write && file.isPollable ? 2 : 1
  }

  /// Notes who asks for the requests of a one-shot transfer.
  func isSeen(as identity: ObjectIdentifier, of owner: any RequestOwner) {
    self.identity = identity
    inside = owner
  }

  /// Notes that the handler of a one-shot transfer was called.
  func oneShotIsOver(_ report: Report) {
    report.expect(!hasCleanedUp, "I1: the handler of a one-shot transfer was called twice")
    hasCleanedUp = true
    inside = nil
  }

  /// Notes that its path is open.
  func opened(_ number: Int32) {
    descriptor = BorrowedDescriptor(rawValue: number)
    path?.opened(descriptor)
  }

  func add(_ operation: OperationRecord) {
    operations.append(operation)
    shared.add(operation)
  }

  /// Notes that an operation, the last one, is a read that is made at once.
  func isAtOnce(_ operation: OperationRecord, _ report: Report) {
    guard operations.last === operation else {
      return report.expect(false, "I1: a read was made at once when it was under way")
    }
    readsAtOnce.append(operations.removeLast())
  }

  func close() {
    if !isClosed { closedAt = min(closedAt, shared.end) }
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

  /// Notes that the creation of the channel ends, and those of others that waited for it.
  func examined() {
    creationEnded()
    if let openingError, openingError != .illegalSeek { return }
    shared.isKnown = true
    for other in shared.channels { other.creationEnded() }
  }

  /// Notes that it was made of another channel, which has failed, or is closed, or will fail.
  ///
  /// - Returns: Whether that is not known yet.
  func follow(_ leader: ChannelRecord) -> Bool {
    let isLater = !leader.isMade && !leader.isClosed
    if isLater { leader.followers.append(self) } else { creationEnded() }
    return isLater
  }

  private func creationEnded() {
    if isMade { return }
    isMade = true
    if openingError == nil { return }
    closedAt = min(closedAt, shared.end)
    for follower in followers { follower.creationEnded() }
    followers = []
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
    case .stream: path == nil ? file.start + file.movedByStreams : movedByStream
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
    let isOver = hasCleanedUp || host?.hasCleanedUp ?? false
    report.expect(!isOver, "I17: a transfer after the cleanup of its channel")
    report.expect(path?.isOpen ?? true, "I17: a transfer of a path that is not open")
    shared.checkTurn(of: operation, report)
  }
}

// MARK: - The end

extension ChannelRecord {
  private var isQuiet: Bool {
    operations.allSatisfy(\.hasReturned) && readsAtOnce.allSatisfy(\.hasReturned)
      && shared.openBarriers.allSatisfy {
        $0.channel != ObjectIdentifier(self) || $0.sequence >= closedAt
      }
  }

  func cleanedUp(_ error: SystemError?, _ report: Report) {
    report.expect(!hasCleanedUp, "I2: two cleanups of a channel")
    report.expect(isClosed || openingError != nil, "I2: a channel that is open was cleaned up")
    report.expect(isQuiet, "I2: a cleanup before the last handler or barrier has returned")
    report.expect(
      error == openingError ?? path?.shownError,
      "S33: a cleanup with a wrong error"
    )
    if let path {
      report.expect(!path.isOpen, "I17: a cleanup before the path was closed")
    }
    if openingError == nil { checkOthers(report) }
    hasCleanedUp = true
    inside = nil
    report.count(.cleanedUp)
  }

  /// Checks that the channels of the descriptor come to their end together.
  private func checkOthers(_ report: Report) {
    let others = shared.channels.filter { $0 !== self && $0.openingError == nil }
    if others.isEmpty { return }
    report.count(.cleanedUpTogether)
    report.expect(
      others.allSatisfy { $0.isClosed && $0.isQuiet },
      "I2: a cleanup before the other channels of its descriptor were over"
    )
    for channel in shared.channels where channel.openingError == nil {
      if channel === self { break }
      report.expect(channel.hasCleanedUp, "S32: cleanups in another order than the channels")
    }
  }
}
