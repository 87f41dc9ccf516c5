import IOChannelsSystem

extension FilePair {
  /// Copies only the allocated parts of a file, so that its holes are preserved.
  ///
  /// The destination must be empty. A file system without holes reports one extent.
  ///
  /// The destination has its length before its data, unless it is a new file that is visible. Some
  /// file systems, such as xfs, preallocate blocks behind a file that grows, and would keep them in
  /// its holes. They preallocate nothing inside of a file.
  ///
  /// - Parameter copyExtent: Copies one extent to the same offset, and returns the number of bytes
  ///   that it had.
  /// - Returns: The length of the file; nil, with nothing copied, if the file system does not
  ///   report holes.
  /// - Throws: The failure of an extent.
  func copySparse(
    _ copyExtent: (Range<Int64>) throws(DataFailure) -> Int64
  ) throws(DataFailure) -> Int64? {
    guard try reportsHoles() else { return nil }
    if !isVisible { try setDestinationSize(status.size) }
    var (position, end) = (start, status.size)
    while position < end, let extent = try nextExtent(from: position) {
      let count = try copyExtent(extent)
      position = extent.upperBound
      // The length is an estimate. The source ends where a read returns no bytes.
      if count < extent.upperBound - extent.lowerBound { end = extent.lowerBound + count }
    }
    if position < end, endsEarly(after: position) {
      end = position + (try copyExtent(position..<end))
    }
    try addHoleToDigest(upTo: end)
    if isVisible || end != status.size { try setDestinationSize(end) }
    return end
  }

  /// Whether the file ends before its reported length, so that no hole follows `position`.
  ///
  /// It is so if the last byte cannot be read, which happens on FUSE.
  func endsEarly(after position: Int64) -> Bool {
    guard mayReadShort, position < status.size else { return false }
    var byte: [UInt8] = [0]
    return (try? source.read(into: &byte, at: status.size - 1)) == 0
  }

  /// Whether the file system reports the position of data (`SEEK_DATA`).
  ///
  /// - Throws: An error of the disk. Treating it as a hole would silently lose bytes.
  private func reportsHoles() throws(DataFailure) -> Bool {
    do throws(SystemError) {
      _ = try source.nextData(from: 0)
      return true
    } catch {
      switch error {
      case .invalidArgument, .notSupported, .noFunction, .inappropriateIOCTLForDevice,
        .illegalSeek:
        return false
      default: throw DataFailure(side: .reading, error: error)
      }
    }
  }

  /// Returns the next range that holds data; nil if there is none.
  ///
  /// It is never empty, so that the loop ends.
  private func nextExtent(from position: Int64) throws(DataFailure) -> Range<Int64>? {
    if position >= status.size { return nil }
    guard let start = try attempt(.reading, try source.nextData(from: position)),
      start < status.size
    else { return nil }
    let end = try attempt(.reading, try source.nextHole(from: start)) ?? status.size
    let lower = max(start, position)
    return lower..<max(min(end, status.size), lower + 1)
  }

  /// Copies an extent, in the kernel if possible.
  ///
  /// - Returns: The number of bytes that it had.
  func copyExtent(
    _ extent: Range<Int64>,
    _ buffer: inout PageBuffer
  ) throws(DataFailure) -> Int64 {
    var position = extent.lowerBound
    while position < extent.upperBound {
      let length = Int(clamping: extent.upperBound - position)
      var count = 0
      if copiesPartsInKernel {
        count = try kernelStep(from: position, to: position, count: length) ?? 0
      }
      // On some file systems the kernel copies no bytes where a read returns some (T24).
      if count == 0 { count = try copyPart(at: position, count: length, &buffer) }
      if count == 0 { break }
      position += Int64(count)
    }
    return position - extent.lowerBound
  }

  /// Reads once at an offset, and writes the bytes at the same offset of the destination.
  private func copyPart(
    at position: Int64,
    count limit: Int,
    _ buffer: inout PageBuffer
  ) throws(DataFailure) -> Int {
    try throwIfStopping()
    let most = min(Int64(limit), step ?? .max)
    let count = try withBytes(&buffer, upTo: most, at: position, usesFilePosition: false) {
      (bytes) throws(DataFailure) in
      try write(bytes, at: position)
      try addToDigest(bytes, at: position)
    }
    progress.count(bytes: Int64(count))
    try pace(Int64(count), to: position + Int64(count))
    return count
  }
}
