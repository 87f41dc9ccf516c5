import QueueRuntime
import IOChannelsEngine
import IOChannelsSystem

/// Where the bytes of an operation are.
struct OperationTarget: Sendable {
  /// How an operation finds its place in the file.
  private enum Place {
    /// At a fixed offset.
    case offset(Int64)
    /// At the file position, which moves with the bytes.
    case filePosition
    /// Wherever the kernel puts it, call by call.
    case kernel
  }

  /// Holds what the channel's operations share, so that each has one reference for all of it: a
  /// count that several threads change moves between processors.
  let channel: ChannelCore
  let direction: Direction
  /// What the caller gave, which a stream passes over.
  let offset: Int64
  /// Whether its bytes are to leave nothing in the page cache.
  private(set) var isUncached = false

  var engine: Engine { channel.engine }
  /// Counts the memory of the channel's operations.
  var account: MemoryBudget.Account { channel.account }
  private var kind: IOChannel.Kind { channel.kind }

  /// Which other operations of the descriptor it waits for, if it moves any bytes.
  var ordering: OrderingConstraint {
    switch (kind, direction) {
    case (.random, _): .positioned
    case (.stream, .read): .reading
    case (.stream, .write): .writing
    }
  }

  /// The same, leaving nothing in the page cache.
  var uncached: Self {
    var target = self
    target.isUncached = true
    return target
  }

  private func place(in file: OpenFile) throws(SystemError) -> Place {
    switch kind {
    case .random:
      let (sum, isOverflow) = file.base.addingReportingOverflow(offset)
      if isOverflow || sum < 0 { throw .invalidArgument }
      return .offset(sum)
    case .stream:
      let isAppend = direction == .write && file.traits.isAppending
      return file.traits.kind == .pollable || isAppend ? .kernel : .filePosition
    }
  }

  /// The offset of the operation's first byte, `nil` where the kernel decides: on what has no
  /// offsets, for appends, and on the few regular files that cannot be sought, as some of tracefs.
  ///
  /// Called when the operation begins: the operation before it may have moved the position.
  ///
  /// - Throws: `EINVAL` for an offset that no file has.
  func firstOffset(in file: OpenFile) throws(SystemError) -> Int64? {
    switch try place(in: file) {
    case .offset(let offset): return offset
    case .filePosition:
      do throws(SystemError) {
        return try file.descriptor.position()
      } catch .illegalSeek {
        return nil
      }
    case .kernel: return nil
    }
  }

  /// Leaves the file position behind the bytes of a stream.
  func moved(in file: OpenFile?, from first: Int64?, by count: Int) {
    guard kind == .stream, let file, let first else { return }
    // It was readable when the operation began; a descriptor that is gone has no position.
    _ = try? file.descriptor.setPosition(first + Int64(count))
  }

  /// Makes the request for one transfer.
  ///
  /// - Returns: `nil` when the offset is more than the kernel can name.
  func request(
    _ transfer: Request.Operation,
    in file: OpenFile,
    first: Int64?,
    offset: Int,
    priority: WorkQueue.QoS.QoSClass,
    tag: Int,
    owner: any RequestOwner
  ) -> Request? {
    var position: Int64?
    if let first {
      let (sum, isOverflow) = first.addingReportingOverflow(Int64(offset))
      if isOverflow { return nil }
      position = sum
    }
    return Request(
      transfer,
      descriptor: file.descriptor,
      traits: file.traits,
      offset: position,
      priority: priority,
      // What an operation appends stays together.
      isRest: offset > 0,
      isUncached: isUncached,
      // A write moves one part after the other.
      isAlone: file.isUnshared && direction == .write,
      tag: tag,
      owner: owner
    )
  }
}
