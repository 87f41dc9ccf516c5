import DataRegions
import Synchronization
import IOChannelsSystem

extension Request {
  /// The number of times that an interrupted call is repeated, on top of the repetitions inside the
  /// call.
  private static let interruptionLimit = 8

  /// Carries out the request with plain calls on this thread: one, or one for each piece.
  ///
  /// Unless `waits` is set, a transfer that would wait for a peer returns `EAGAIN`. At most `limit`
  /// bytes of a piece are written.
  func call(waits: Bool, limit: Int = .max) -> TransferResult {
    while true {
      cut(at: Request.pieceLimit)
      let result = callForPiece(waits: waits, limit: limit)
      if case .success(let count) = result, continues(after: count) { continue }
      return whole(result)
    }
  }

  /// Makes the call for one piece and returns its result.
  func callForPiece(waits: Bool, limit: Int = .max) -> TransferResult {
    var interruptions = 0
    while true {
      do throws(SystemError) {
        return .success(try callOnce(waits: waits, limit: limit))
      } catch {
        // The threads of the engine block all blockable signals, but a file system may return
        // `EINTR` without one. Close and sync are never repeated.
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
    }
    return 0
  }

  /// Reads at most `limit` bytes without waiting for a peer.
  func readAtOnce(limit: Int) -> TransferResult {
    Result { () throws(SystemError) in
      guard case .read(let buffer, let range) = operation else { throw .invalidArgument }
      // A process that splices into the pipe holds its lock while it waits, also against calls that
      // do not wait. The check needs no lock. It excludes an empty pipe; one with bytes may be
      // locked.
      guard descriptor.isReadable else { throw .resourceTemporarilyUnavailable }
      let part = range.lowerBound..<range.lowerBound + min(range.count, limit)
      return try buffer.read(from: descriptor, into: part, at: offset, TransferFlags(waits: false))
    }
  }

  /// Whether the path to open leads to a FIFO or character device, whose opening may block.
  var opensPeer: Bool {
    guard case .open(let path, let flags, _) = operation, !flags.contains(.nonBlocking),
      let status = try? descriptor.status(of: path, following: !flags.contains(.noFollow))
    else { return false }
    return status.kind == .fifo || status.kind == .characterDevice
  }

  /// Transfers the bytes, also if the kernel does not support uncached transfers.
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

  /// Whether a write may find its reader closed, as with a pipe or socket.
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

  /// Writes bytes that are not aligned for `O_DIRECT`, through the page cache.
  ///
  /// The kernel keeps such writes coherent with direct I/O: it flushes pages before a direct read
  /// and drops them before a direct write.
  ///
  /// - Throws: `EINVAL`, like the direct write, if the file cannot be opened again.
  private func writeThroughPageCache(
    _ data: DataBuffer,
    _ flags: TransferFlags
  ) throws(SystemError) -> Int {
    let opening: OpenFlags = traits.isAppending ? [.writeOnly, .append] : .writeOnly
    guard let file = try? descriptor.reopen(opening) else { throw .invalidArgument }
    let count = try VectorList(data).write(to: file.borrowed, at: pieceOffset, flags)
    // Some file systems report a failed write only then. An interrupted close has closed the file,
    // and the bytes must not be written again.
    do throws(SystemError) {
      try file.close()
    } catch {
      if error != .interrupted { throw error }
    }
    return count
  }
}
