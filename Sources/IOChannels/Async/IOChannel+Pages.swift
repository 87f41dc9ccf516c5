import RequestEngine
public import SystemCalls

extension IOChannel {
  /// Has reads and writes take out of the page cache what they brought there, or leave it as ever.
  ///
  /// A file that is read or written once so takes little memory from others. It concerns transfers
  /// that are asked for later. Where the kernel (before Linux 6.14) or the file system cannot, they
  /// are made as ever and nobody is told (S159).
  public func setUncached(_ isUncached: Bool) {
    core.changeSettings { $0.isUncached = isUncached }
  }

  /// Tells the kernel how a range will be used, after all operations before it.
  ///
  /// What comes after it waits for it. It is a hint: nothing that is read or written becomes
  /// different (S161).
  ///
  /// - Parameters:
  ///   - advice: The use. To read a range ahead is `.willNeed`; `.sequential` and `.random` concern
  ///     the whole file.
  ///   - range: Offsets from the start of the file, not negative.
  /// - Throws: `ESPIPE` for a pipe or socket.
  /// - Precondition: The range does not begin before 0.
  public func advise(
    _ advice: FileAdvice,
    for range: Range<Int64> = 0..<Int64.max
  ) async throws(IOError) {
    requireUse(range.lowerBound >= 0, "A file begins at offset 0.", "S173")
    if range.isEmpty { return }
    try await perform(.advise(advice, length: length(range)), .advise, at: range.lowerBound)
  }

  /// Begins to bring what was written to a range to the disk, after all operations before it.
  ///
  /// It spreads the work of a later ``synchronize(dataOnly:)``, and does not replace it: what is
  /// needed to find the bytes again may be missing on the disk, whose own memory is not emptied. An
  /// error that it tells when it waits is that of an earlier write, and is told once (S160).
  ///
  /// - Parameters:
  ///   - range: Offsets from the start of the file, not negative.
  ///   - waiting: Whether it waits until the disk has the bytes; else it only begins.
  /// - Throws: `ESPIPE` for a pipe or socket, and when it waits the error of a write.
  /// - Precondition: The range does not begin before 0.
  public func writeBack(
    _ range: Range<Int64> = 0..<Int64.max,
    waiting: Bool = false
  ) async throws(IOError) {
    requireUse(range.lowerBound >= 0, "A file begins at offset 0.", "S173")
    if range.isEmpty { return }
    let request = Request.Operation.writeBack(length: length(range), waits: waiting)
    try await perform(request, .writeBack, at: range.lowerBound)
  }

  /// The length of a range as the kernel takes it, where 0 is all to the end.
  private func length(_ range: Range<Int64>) -> Int64 {
    range.upperBound == .max ? 0 : range.upperBound - range.lowerBound
  }
}
