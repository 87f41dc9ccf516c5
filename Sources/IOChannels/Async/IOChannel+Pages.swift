import IOChannelsEngine
public import IOChannelsSystem

extension IOChannel {
  /// Whether reads and writes drop the transferred pages from the page cache; false by default.
  ///
  /// Dropped pages leave more memory for other files when a file is read or written only once. A
  /// new value applies to later transfers. Where the kernel (before Linux 6.14) or the file system
  /// does not support this, the value has no effect and no error is reported (<doc:Rules#S159>).
  public var isUncached: Bool {
    get { core.state?.settings.isUncached ?? false }
    set { core.changeSettings { $0.isUncached = newValue } }
  }

  /// Advises the kernel of the future use of a range, after all earlier operations.
  ///
  /// Later operations wait for the call. The advice is a hint: the results of reads and writes do
  /// not change.
  ///
  /// - Parameters:
  ///   - advice: The use. `.willNeed` prefetches a range; `.sequential` and `.random` apply to the
  ///     whole file.
  ///   - range: Offsets from the start of the file, not negative.
  /// - Throws: `ESPIPE` for a pipe or socket.
  /// - Precondition: The range does not begin before 0.
  public func advise(
    _ advice: FileAdvice,
    for range: Range<Int64> = 0..<Int64.max
  ) async throws(IOChannelError) {
    requireUse(range.lowerBound >= 0, "A file begins at offset 0.", "S173")
    if range.isEmpty { return }
    try await perform(.advise(advice, length: length(range)), .advise, at: range.lowerBound)
  }

  /// Advises the kernel of the future use of the file from an offset to its end.
  ///
  /// All other properties are those of the form with a range that has an end.
  ///
  /// - Parameters:
  ///   - advice: The use.
  ///   - range: The first offset, counted from the start of the file.
  /// - Throws: `ESPIPE` for a pipe or socket.
  /// - Precondition: The range does not begin before 0.
  public func advise(
    _ advice: FileAdvice,
    for range: PartialRangeFrom<Int64>
  ) async throws(IOChannelError) {
    try await advise(advice, for: range.lowerBound..<Int64.max)
  }

  /// Flushes a range of the file to the device, or only starts to, after all earlier operations.
  ///
  /// The call does a part of the work of a later ``synchronize(dataOnly:)`` in advance. It does not
  /// replace that call, because it flushes neither the metadata that locates the bytes nor the
  /// cache of the device (<doc:Rules#S160>). With `waiting`, it can report the error of an earlier
  /// write, which a later sync then does not report.
  ///
  /// - Parameters:
  ///   - range: Offsets from the start of the file, not negative.
  ///   - waiting: True to wait until the device has the bytes; false to only start the flush.
  /// - Throws: `ESPIPE` for a pipe or socket, and with `waiting` the error of a write.
  /// - Precondition: The range does not begin before 0.
  public func writeBack(
    _ range: Range<Int64> = 0..<Int64.max,
    waiting: Bool = false
  ) async throws(IOChannelError) {
    requireUse(range.lowerBound >= 0, "A file begins at offset 0.", "S173")
    if range.isEmpty { return }
    let request = Request.Operation.writeBack(length: length(range), waits: waiting)
    try await perform(request, .writeBack, at: range.lowerBound)
  }

  /// Flushes the file from an offset to its end, or only starts to, after all earlier operations.
  ///
  /// All other properties are those of the form with a range that has an end.
  ///
  /// - Parameters:
  ///   - range: The first offset, counted from the start of the file.
  ///   - waiting: True to wait until the device has the bytes; false to only start the flush.
  /// - Throws: `ESPIPE` for a pipe or socket, and with `waiting` the error of a write.
  /// - Precondition: The range does not begin before 0.
  public func writeBack(
    _ range: PartialRangeFrom<Int64>,
    waiting: Bool = false
  ) async throws(IOChannelError) {
    try await writeBack(range.lowerBound..<Int64.max, waiting: waiting)
  }

  /// Returns the length of a range for the kernel, where 0 means to the end of the file.
  private func length(_ range: Range<Int64>) -> Int64 {
    range.upperBound == .max ? 0 : range.upperBound - range.lowerBound
  }
}
