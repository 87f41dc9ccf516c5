import QueueRuntime
import RequestEngine
import SystemCalls

/// Where the bytes of an operation are.
struct OperationTarget: Sendable {
  /// How an operation finds its place in the file.
  enum Place: Sendable {
    /// At a fixed offset.
    case offset(Int64)
    /// At the file position, which moves with the bytes.
    case filePosition
    /// Wherever the kernel puts it, call by call.
    case kernel
    /// At an offset that no file has.
    case nowhere
  }

  let engine: Engine
  let descriptor: BorrowedDescriptor
  let traits: DescriptorTraits
  let place: Place
  /// Counts the memory of the channel's operations.
  let account: MemoryBudget.Account

  /// The offset of the operation's first byte, `nil` where the kernel decides.
  ///
  /// Called when the operation begins: the operation before it may have moved the position.
  func firstOffset() throws(Errno) -> Int64? {
    switch place {
    case .offset(let offset): offset
    case .filePosition: try descriptor.position()
    case .kernel: nil
    case .nowhere: throw .invalidArgument
    }
  }

  /// Leaves the file position behind the bytes of a stream.
  func moved(from first: Int64?, by count: Int) {
    guard case .filePosition = place, let first else { return }
    // It was readable when the operation began; a descriptor that is gone has no position.
    _ = try? descriptor.setPosition(first + Int64(count))
  }

  /// Makes the request for one transfer.
  ///
  /// - Returns: `nil` when the offset is more than the kernel can name.
  func request(
    _ transfer: Request.Operation,
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
      descriptor: descriptor,
      traits: traits,
      offset: position,
      priority: priority,
      // What an operation appends stays together.
      isRest: offset > 0,
      tag: tag,
      owner: owner
    )
  }
}
