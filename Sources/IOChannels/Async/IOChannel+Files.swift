import IOChannelsEngine
public import IOChannelsSystem

extension IOChannel {
  /// Flushes the file to the device, after all earlier operations and before any later one.
  ///
  /// Do not repeat a failed call: the kernel may have dropped the bytes that it could not write, so
  /// the file has to be written again (<doc:Rules#S153>).
  ///
  /// - Parameter dataOnly: Whether metadata such as times may remain unflushed; the length is
  ///   always flushed.
  /// - Throws: `EINVAL` or `EROFS` for files that cannot be flushed, or the error of an earlier
  ///   write.
  public func synchronize(dataOnly: Bool = false) async throws(IOChannelError) {
    try await perform(.synchronize(dataOnly: dataOnly), .synchronize)
  }

  /// Sets the length of the file, after all earlier operations and before any later one.
  ///
  /// A file that grows gets a hole at its end. The file position does not change.
  ///
  /// - Parameter length: The new length in bytes, counted from the start of the file.
  /// - Throws: `EINVAL` for files without a length and for a file that is not open for writing.
  /// - Precondition: The length is not negative.
  public func truncate(toLength length: Int64) async throws(IOChannelError) {
    requireUse(length >= 0, "A file has no negative length.", "S173")
    try await perform(.truncate(length: length), .truncate)
  }

  /// Reserves blocks on the disk for a range, after all earlier operations and before any later
  /// one.
  ///
  /// Later writes into the range do not fail with `ENOSPC`. Existing bytes do not change.
  ///
  /// - Parameters:
  ///   - range: Offsets from the start of the file; neither empty nor negative.
  ///   - keepingLength: Whether the file keeps its length when the range ends after it.
  /// - Throws: `EOPNOTSUPP` where the file system does not support it, `ENOSPC` when there is not
  ///   enough space.
  /// - Precondition: The range does not begin before 0.
  public func allocate(
    _ range: Range<Int64>,
    keepingLength: Bool = false
  ) async throws(IOChannelError) {
    requireUse(range.lowerBound >= 0, "A file begins at offset 0.", "S173")
    let operation = Request.Operation.allocate(
      keepingLength ? .keepSize : [],
      length: Int64(range.count)
    )
    try await perform(operation, .allocate, at: range.lowerBound)
  }

  /// Reads the length, kind and identity of the file, after all earlier operations and before any
  /// later one.
  ///
  /// So the length includes the bytes of all writes that were submitted before (<doc:Rules#S238>).
  ///
  /// - Returns: The status of the open file.
  /// - Throws: `ECANCELED` for a closed channel, or the error of the file system.
  public func status() async throws(IOChannelError) -> FileStatus {
    let request = FileOperation.Action.request(.status(nil, following: true), offset: nil)
    if let status = try await perform(request, .status, at: nil)?.status { return status }
    throw IOChannelError(.status, of: file, reason: .ioError)
  }

  /// Submits a request about the file and waits for its answer.
  func perform(
    _ request: Request.Operation,
    _ operation: IOChannelError.Operation,
    at offset: Int64? = nil
  ) async throws(IOChannelError) {
    _ = try await perform(.request(request, offset: offset), operation, at: offset)
  }

  /// Submits an operation that is no transfer, and waits for its end; a cancelled task submits
  /// nothing (S158).
  func perform(
    _ action: FileOperation.Action,
    _ operation: IOChannelError.Operation,
    at offset: Int64?
  ) async throws(IOChannelError) -> FileOperation? {
    var submitted: FileOperation?
    var reason: SystemError? = .canceled
    if !Task.isCancelled {
      let transfer = TaskTransfer(.write) { queue, handler in
        submitted = core.perform(action, queue: queue, handler: handler)
        return submitted
      }
      reason = await transfer.outcome().error
    }
    guard let reason else { return submitted }
    throw IOChannelError(operation, of: file, at: offset, reason: reason)
  }
}
