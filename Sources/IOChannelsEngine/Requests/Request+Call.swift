import DataRegions
import Synchronization
import IOChannelsSystem

extension Request {
  /// How often a call that was interrupted is made again, on top of what the call itself does.
  private static let interruptionLimit = 8

  /// Carries the request out with plain calls on this thread: one, or one for each piece.
  ///
  /// `waits` says whether a transfer may wait for a peer; else the answer is `EAGAIN`. At most
  /// `limit` bytes of a piece are written.
  ///
  /// - Precondition: It is neither a poll nor a timeout, for which no thread is held.
  func call(waits: Bool, limit: Int = .max) -> TransferResult {
    while true {
      cut(at: Request.pieceLimit)
      let result = callForPiece(waits: waits, limit: limit)
      if case .success(let count) = result, goesOn(after: count) { continue }
      return whole(result)
    }
  }

  /// Makes the call for one piece, and gives the kernel's answer for that.
  func callForPiece(waits: Bool, limit: Int = .max) -> TransferResult {
    var interruptions = 0
    while true {
      do throws(SystemError) {
        return .success(try callOnce(waits: waits, limit: limit))
      } catch {
        // The threads of the engine block the signals that can be blocked, but a file system may
        // answer so without any. Of a close and a synchronization the first answer is the only one.
        if error == .interrupted, isCancelled.load(ordering: .acquiring), isInterruptible {
          return .failure(.canceled)
        }
        guard error == .interrupted, kind != .close, kind != .synchronize,
          interruptions < Request.interruptionLimit
        else { return .failure(error) }
        interruptions += 1
      }
    }
  }

  private func callOnce(waits: Bool, limit: Int) throws(SystemError) -> Int {
    switch operation {
    case .read, .write: return try transfer(waits: waits, limit: limit)
    case .open(let path, let flags, let permissions):
      return Int(try descriptor.openOnce(path, flags, permissions: permissions).release())
    case .close:
      guard descriptor.rawValue >= 0 else { throw .badFileDescriptor }
      try OwnedDescriptor(owning: descriptor.rawValue).close()
    case .synchronize(let dataOnly):
      try descriptor.synchronize(dataOnly: dataOnly)
    case .allocate(let mode, let length):
      try descriptor.allocate(mode, offset: offset ?? 0, length: length)
    case .advise(let advice, let length):
      try descriptor.advise(advice, offset: offset ?? 0, length: length)
    case .writeBack(let length, let waits):
      try descriptor.writeBack(offset: offset ?? 0, length: length, waits: waits)
    case .truncate(let length):
      try descriptor.setSize(length)
    case .status(let path, let following):
      if let path {
        status = try descriptor.status(of: path, following: following)
      } else {
        status = try descriptor.status()
      }
    case .poll, .timeout:
      preconditionFailure("A request that only waits is no call.")
    }
    return 0
  }

  /// Whether the path of an opening leads to a FIFO or a character device, whose opening may wait.
  var opensPeer: Bool {
    guard case .open(let path, let flags, _) = operation, !flags.contains(.nonBlocking),
      let status = try? descriptor.status(of: path, following: !flags.contains(.noFollow))
    else { return false }
    return status.kind == .fifo || status.kind == .characterDevice
  }

  /// Moves the bytes, also where the kernel cannot leave them out of its cache.
  private func transfer(waits: Bool, limit: Int) throws(SystemError) -> Int {
    guard isUncached else {
      return try transfer(TransferFlags(waits: waits, hasPeer: hasPeer), limit: limit)
    }
    do throws(SystemError) {
      return try transfer(TransferFlags(waits: waits, isUncached: true), limit: limit)
    } catch {
      guard error == .notSupported else { throw error }
      UncachedTransfers.refused(by: traits.device)
      return try transfer(TransferFlags(waits: waits, hasPeer: hasPeer), limit: limit)
    }
  }

  /// Whether a write may find that its reader has gone, as of a pipe or socket.
  private var hasPeer: Bool { traits.kind != .seekable }

  private func transfer(_ flags: TransferFlags, limit: Int) throws(SystemError) -> Int {
    switch operation {
    case .read(let buffer, let range):
      return try buffer.read(from: descriptor, into: range, at: offset, flags)
    case .write(let data):
      let part = bytes(ofPieceOf: data, limit: limit)
      if needsPageCache { return try writeThroughPageCache(part, flags) }
      return try VectorList(part).write(to: descriptor, at: pieceOffset, flags)
    default: preconditionFailure("Only a transfer moves bytes.")
    }
  }

  /// Writes what `O_DIRECT` does not take, in a way that shares the file with what it takes: the
  /// kernel brings pages to the disk before it reads past them, and drops them before it writes.
  ///
  /// - Throws: `EINVAL`, as without this, where the file cannot be opened once more.
  private func writeThroughPageCache(
    _ data: DataBuffer,
    _ flags: TransferFlags
  ) throws(SystemError) -> Int {
    let opening: OpenFlags = traits.isAppending ? [.writeOnly, .append] : .writeOnly
    guard let file = try? descriptor.reopen(opening) else { throw .invalidArgument }
    return try VectorList(data).write(to: file.borrowed, at: pieceOffset, flags)
  }
}
