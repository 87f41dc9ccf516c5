import IOChannels
import IOChannelsEngine
import IOChannelsSystem

/// Which requests are under way, and which operation each belongs to.
final class RequestLog {
  private final class Entry {
    let channel: ChannelRecord
    let operation: OperationRecord
    /// Counted from the operation's start.
    let offset: Int
    var bytes: ArraySlice<UInt8> = []
    var isCancelled = false

    init(_ channel: ChannelRecord, _ operation: OperationRecord, offset: Int) {
      self.channel = channel
      self.operation = operation
      self.offset = offset
    }
  }

  private let sizes: TransferSizes
  private let report: Report
  private var channels: [ObjectIdentifier: ChannelRecord] = [:]
  private var requests: [ObjectIdentifier: Entry] = [:]
  /// Operations by the owner of their requests.
  private var owners: [ObjectIdentifier: OperationRecord] = [:]

  /// What the user is asking for at the moment.
  var asked: (channel: ChannelRecord, operation: OperationRecord)?

  /// One-shot transfers of which nothing was seen, in order.
  private var unseen: [ChannelRecord] = []

  init(sizes: TransferSizes, report: Report) {
    self.sizes = sizes
    self.report = report
  }

  var isEmpty: Bool { requests.isEmpty }

  /// Makes a channel known.
  func add(_ channel: ChannelRecord) {
    guard let identity = channel.identity else { return unseen.append(channel) }
    channels[identity] = channel
  }

  /// The channel of a request, also of a one-shot transfer whose first one it is.
  ///
  /// Those of a direction take turns, so it is the oldest.
  func channel(of request: Request) -> ChannelRecord? {
    guard let owner = request.owner as? any ChannelRequestOwner else { return nil }
    let known = channels[owner.channelIdentity]
    // The inside of a one-shot transfer may have the address of one that has gone.
    if let known, !known.hasCleanedUp { return known }
    let place = unseen.firstIndex {
      $0.descriptor == request.descriptor && $0.operations.first?.direction == request.direction
    }
    guard let place else { return known }
    let channel = unseen.remove(at: place)
    channel.isSeen(as: owner.channelIdentity, of: owner)
    channels[owner.channelIdentity] = channel
    return channel
  }

  /// Forgets a one-shot transfer that is over; its address may be used again.
  func forget(_ channel: ChannelRecord) {
    unseen.removeAll { $0 === channel }
    if let identity = channel.identity { channels[identity] = nil }
  }

  /// Lets go of all channels, at the end of a run.
  func forgetChannels() {
    channels = [:]
    unseen = []
  }

  /// Notes that a look at a descriptor for a channel ends.
  func examined(_ request: Request) {
    guard let channel = channel(of: request) else {
      return report.expect(false, "I9: a look at a descriptor that no channel asked for")
    }
    report.expect(
      channel.descriptor == request.descriptor,
      "I17: a look at another descriptor than the channel's"
    )
    if !channel.operations.isEmpty { report.count(.examinedLate) }
    channel.examined()
  }

  /// Forgets the owner of an operation that is done; its address may be used again.
  func forget(_ operation: OperationRecord) {
    if let owner = operation.owner { owners[owner] = nil }
  }
}

extension RequestLog {
  /// The operation that looks for its bytes in memory.
  ///
  /// It is the owner of the look, which found no memory when it was asked for, else the one that
  /// is asked for.
  func looks(
    _ descriptor: BorrowedDescriptor,
    at offset: Int64,
    count: Int,
    for owner: (any RequestOwner)?
  ) -> (channel: ChannelRecord, operation: OperationRecord)? {
    let found = owner.map { waiting(for: $0) } ?? asked
    guard let (channel, operation) = found, channel.kind == .random,
      channel.descriptor == descriptor, operation.direction == .read, operation.refusal == nil
    else {
      report.expect(false, "I9: a look into memory that no operation can have made")
      return nil
    }
    channel.checkTurn(of: operation, report)
    report.expect(
      channel.position(of: operation) == offset && operation.length == count,
      "I5: a look for \(count) bytes at \(offset)"
    )
    report.expect(count <= operation.highWater, "I12: a look above the high mark")
    report.expect(owner == nil || !operation.hasInterval, "S163: a late look with an interval")
    return (channel, operation)
  }

  /// The operation that waits for its turn, or for memory.
  private func waiting(
    for owner: any RequestOwner
  ) -> (channel: ChannelRecord, operation: OperationRecord)? {
    guard let identity = (owner as? any ChannelRequestOwner)?.channelIdentity,
      let channel = channels[identity], let operation = channel.operation(of: owner)
    else { return nil }
    return (channel, operation)
  }

  func submitted(_ request: Request) {
    let key = ObjectIdentifier(request)
    report.expect(requests[key] == nil, "I14: a request was submitted twice")
    let owner = ObjectIdentifier(request.owner)
    guard
      let channel = channel(of: request), channel.descriptor == request.descriptor,
      let operation = owners[owner] ?? channel.operation(of: request.owner)
    else { return report.expect(false, "I9: a request that no operation can have made") }
    channel.checkTurn(of: operation, report)
    let isFirst = !operation.hasBegun
    let position = isFirst ? channel.position(of: operation) : nil
    let offset = operation.submitted(request, position: position, sizes, report)
    if isFirst {
      operation.owner = owner
      owners[owner] = operation
    }
    requests[key] = Entry(channel, operation, offset: offset)
  }

  func file(of request: Request) -> SimulatedFile? {
    let entry = requests[ObjectIdentifier(request)]
    report.expect(entry != nil, "I3: a request is in use after its end")
    return entry?.channel.file
  }

  /// Notes that the scheduler knows of a cancellation.
  ///
  /// - Returns: Whether the request has not ended.
  func cancellationArrived(_ request: Request) -> Bool {
    guard let entry = requests[ObjectIdentifier(request)] else { return false }
    entry.isCancelled = true
    return true
  }

  func isCancelled(_ request: Request) -> Bool {
    requests[ObjectIdentifier(request)]?.isCancelled ?? false
  }

  /// Takes what the kernel gave for a request, before its owner is told.
  func transferred(_ request: Request, _ bytes: ArraySlice<UInt8>) {
    requests[ObjectIdentifier(request)]?.bytes = bytes
  }

  func ended(_ request: Request, _ result: TransferResult) {
    guard let entry = requests.removeValue(forKey: ObjectIdentifier(request)) else {
      return report.expect(false, "I1: a request ended twice")
    }
    entry.operation.answered(
      result,
      at: entry.offset,
      count: request.length,
      bytes: entry.bytes,
      report
    )
  }
}
