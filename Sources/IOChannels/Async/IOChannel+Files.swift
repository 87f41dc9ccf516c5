import RequestEngine
import SystemCalls

extension IOChannel {
  /// Brings what was written to the disk, after all operations before it and before any after it.
  ///
  /// A failed one is not repeated: the kernel may have dropped what it could not write, so the
  /// file has to be written again (S153).
  ///
  /// - Parameter dataOnly: Whether times and the like may stay behind; the length never does.
  /// - Throws: `EINVAL` or `EROFS` for what has no disk, or the error of an earlier write.
  public func synchronize(dataOnly: Bool = false) async throws(IOError) {
    try await perform(.synchronize(dataOnly: dataOnly), .synchronize, at: nil)
  }

  /// Sets the length of the file, after all operations before it and before any after it.
  ///
  /// A file that grows gets a hole at its end. The file position stays where it is.
  ///
  /// - Parameter length: The bytes that the file has afterwards, counted from its start.
  /// - Throws: `EINVAL` for what has no length and for a file that is not open for writing.
  /// - Precondition: The length is not negative.
  public func truncate(toLength length: Int64) async throws(IOError) {
    requireUse(length >= 0, "A file has no negative length.", "S173")
    try await perform(.truncate(length: length), .truncate, at: nil)
  }

  /// Reserves blocks on the disk for a range, after all operations before it and before any after.
  ///
  /// Writes into the range do not fail for lack of room later. Bytes that the file has stay.
  ///
  /// - Parameters:
  ///   - range: Offsets from the start of the file; neither empty nor negative.
  ///   - keepingLength: Whether the length stays when the range goes beyond it.
  /// - Throws: `EOPNOTSUPP` where the file system cannot, `ENOSPC` when there is no room.
  /// - Precondition: The range does not begin before 0.
  public func allocate(
    _ range: Range<Int64>,
    keepingLength: Bool = false
  ) async throws(IOError) {
    requireUse(range.lowerBound >= 0, "A file begins at offset 0.", "S173")
    let operation = Request.Operation.allocate(
      keepingLength ? .keepSize : [],
      length: Int64(range.count)
    )
    try await perform(operation, .allocate, at: range.lowerBound)
  }

  /// Makes a request about the file and waits for its answer.
  func perform(
    _ request: Request.Operation,
    _ operation: IOError.Operation,
    at offset: Int64?
  ) async throws(IOError) {
    let transfer = TaskTransfer(.write) { queue, handler in
      core.perform(request, at: offset, queue: queue, handler: handler)
    }
    guard let reason = await transfer.outcome().error else { return }
    throw IOError(
      operation,
      of: file,
      at: offset,
      reason: reason
    )
  }
}
