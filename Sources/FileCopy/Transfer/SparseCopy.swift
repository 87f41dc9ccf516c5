import IOChannelsSystem

extension FilePair {
  /// Copies only what is allocated, so that holes stay holes.
  ///
  /// The destination is empty. A file system that knows no holes shows one extent, and one that
  /// cannot be asked gives nil before anything was copied.
  ///
  /// - Parameter copyExtent: Copies one part to the same place, and tells how much of it there was.
  /// - Returns: How far the file goes, nil when holes cannot be looked for.
  /// - Throws: The failure of a part.
  func copySparse(
    _ copyExtent: (Range<Int64>) throws(DataFailure) -> Int64
  ) throws(DataFailure) -> Int64? {
    guard try knowsHoles() else { return nil }
    var (position, end) = (Int64(0), status.size)
    while position < end, let extent = try nextExtent(from: position) {
      let count = try copyExtent(extent)
      position = extent.upperBound
      // The length is a guess: the source ends where a read gives nothing.
      if count < extent.upperBound - extent.lowerBound { end = extent.lowerBound + count }
    }
    if position < end, endsEarly(behind: position) {
      end = position + (try copyExtent(position..<end))
    }
    do throws(SystemError) {
      try destination.setSize(end)
    } catch {
      throw DataFailure(side: .resizing, error: error)
    }
    return end
  }

  /// Whether what looks like a hole from `position` to the end is no more than a length that says
  /// too much, as on FUSE: a read finds no last byte there.
  func endsEarly(behind position: Int64) -> Bool {
    guard mayReadShort, position < status.size else { return false }
    var byte: [UInt8] = [0]
    return (try? source.read(into: &byte, at: status.size - 1)) == 0
  }

  /// Whether the file system tells where data is. A disk that fails to tell is a failure: taken for
  /// a hole, bytes would be lost in silence.
  private func knowsHoles() throws(DataFailure) -> Bool {
    do throws(SystemError) {
      _ = try source.nextData(from: 0)
      return true
    } catch {
      switch error {
      case .invalidArgument, .notSupported, .noFunction, .inappropriateIOCTLForDevice:
        return false
      default: throw DataFailure(side: .reading, error: error)
      }
    }
  }

  /// The next part that holds data; each one ends behind its start, so the loop comes to an end.
  private func nextExtent(from position: Int64) throws(DataFailure) -> Range<Int64>? {
    if position >= status.size { return nil }
    do throws(SystemError) {
      guard let start = try source.nextData(from: position), start < status.size else { return nil }
      let end = try source.nextHole(from: start) ?? status.size
      let lower = max(start, position)
      return lower..<max(min(end, status.size), lower + 1)
    } catch {
      throw DataFailure(side: .reading, error: error)
    }
  }

  /// Copies a part within one file system, in the kernel if it can.
  ///
  /// - Returns: How many bytes of it there were.
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
      // Some file systems answer 0 where a read gives bytes (T24).
      if count == 0 { count = try copyPart(at: position, count: length, &buffer) }
      if count == 0 { break }
      position += Int64(count)
    }
    return position - extent.lowerBound
  }

  /// One read and the writes that belong to it, at an offset of both files.
  private func copyPart(
    at position: Int64,
    count limit: Int,
    _ buffer: inout PageBuffer
  ) throws(DataFailure) -> Int {
    try mayGoOn()
    let count: Int
    do throws(SystemError) {
      let most = min(limit, buffer.count)
      count = try source.read(into: &buffer, count: most, at: position)
    } catch {
      throw DataFailure(side: .reading, error: error)
    }
    try write(buffer.bytes(0..<count), at: position)
    monitor.count(bytes: Int64(count))
    return count
  }
}
