import QueueRuntime
import IOChannelsEngine
import IOChannelsSystem

/// The channel, direction and offset of an operation.
struct OperationTarget: Sendable {
  /// The channel, through which an operation has one reference to everything that operations share.
  ///
  /// A reference count that several threads change moves between processors.
  let channel: ChannelCore
  let direction: Direction
  /// The offset that the caller passed, which a stream ignores.
  let offset: Int64

  var engine: Engine { channel.engine }

  /// The other operations of the descriptor that an operation with bytes waits for.
  var ordering: OrderingConstraint {
    switch (channel.kind, direction) {
    case (.random, _): .positioned
    case (.stream, .read): .reading
    case (.stream, .write): .writing
    }
  }

  /// Returns the place of an operation that starts now.
  ///
  /// An earlier operation of a stream may have moved the file position before.
  ///
  /// - Throws: `EINVAL` for an offset that no file has.
  func place(in file: OpenFile) throws(SystemError) -> TransferPlace {
    if channel.kind == .random {
      return TransferPlace(file: file, first: try file.position(of: offset))
    }
    let isAppend = direction == .write && file.traits.isAppending
    if file.traits.kind == .pollable || isAppend { return TransferPlace(file: file, first: nil) }
    do throws(SystemError) {
      let position = try file.descriptor.position()
      return TransferPlace(file: file, first: position, movesPosition: true)
    } catch .illegalSeek {
      return TransferPlace(file: file, first: nil)
    }
  }

  /// Creates the request of a transfer.
  ///
  /// - Returns: Nil if the offset is larger than the kernel's largest one.
  func request(
    _ operation: consuming Request.Operation,
    for transfer: TransferStorage.Machine.Transfer,
    priority: WorkQueue.QoS.QoSClass,
    isUncached: Bool,
    owner: any RequestOwner
  ) -> Request? {
    let file = transfer.place.file
    var position: Int64?
    if let first = transfer.place.first {
      let (sum, isOverflow) = first.addingReportingOverflow(Int64(transfer.offset))
      if isOverflow { return nil }
      position = sum
    }
    return Request(
      operation,
      descriptor: file.descriptor,
      traits: file.traits,
      offset: position,
      priority: priority,
      // The bytes that an operation appends stay together.
      isRest: transfer.offset > 0,
      isUncached: isUncached,
      // A write transfers one part after the other.
      isAlone: file.isUnshared && direction == .write,
      tag: transfer.part,
      owner: owner
    )
  }
}
