import DataRegions
import IOChannelsEngine
import IOChannelsSystem

/// Two open files between which bytes are copied.
struct FilePair: ~Copyable {
  var source: BorrowedDescriptor
  var destination: BorrowedDescriptor
  /// Whether the destination may lose its reader, as a FIFO does.
  var destinationHasPeer = false
  /// The status of the source when it was opened.
  var status: FileStatus
  /// The maximum number of bytes that are copied.
  var limit = Int64.max
  /// The number of bytes at the start that the destination has already.
  var start: Int64 = 0
  /// The progress of the file, which counts the copied bytes and reports whether to stop.
  var progress: FileProgress
  /// The checksum of the copied bytes with which the copy is verified, if that is requested.
  var sum: ContentSum?
  /// The checksum of the complete file for a manifest, if that is requested.
  var digest: ContentDigest?
  /// The removal of copied pages from the page cache, if that is requested.
  var dropper: CacheDropper?
  /// The reads that several destinations share, if there are several.
  var shared: SharedReader?
  /// The limits of the rate and of unwritten data, if there are any.
  var pacing: TransferPace?
  /// Whether the kernel may copy parts of a file, which on some file systems shares blocks.
  var copiesPartsInKernel = false
  /// The number of bytes that are read and written at a time.
  ///
  /// 256 KiB stay in a near cache from the read to the write.
  var pieceLength = 256 << 10
  /// Whether a read may be short before the end of the file.
  var mayReadShort = false
  /// Whether the destination is a new file that has its name already.
  ///
  /// Its length must show that an interrupted copy is not complete.
  var isVisible = false

  /// Lengthens the pieces up to 1 MiB, if a file system prefers that.
  ///
  /// A server is asked for each piece.
  mutating func usePreferredLength() {
    let preferred = max(status.blockSize, (try? destination.status())?.blockSize ?? 0)
    pieceLength = min(max(pieceLength, Int(preferred)), 1 << 20)
  }

  /// Throws an error if the copy is being stopped. It is called before every step.
  func throwIfStopping() throws(DataFailure) {
    if progress.isStopping { throw DataFailure(side: .stopping, error: .canceled) }
  }

  /// The number of bytes that one step may transfer; nil for any number.
  var step: Int64? { pacing?.step }

  /// Waits after a step that transferred `count` bytes and has reached the offset `end`, as the
  /// limits of the rate and of unwritten data demand.
  func pace(_ count: Int64, to end: Int64) throws(DataFailure) {
    try pacing?.wait(after: count, to: end, progress)
  }

  /// Writes all bytes to the destination, at an offset or else at its file position.
  func write(_ bytes: RawSpan, at offset: Int64? = nil) throws(DataFailure) {
    var written = 0
    while written < bytes.byteCount {
      do throws(SystemError) {
        let rest = bytes.extracting(droppingFirst: written)
        let step: Int
        if let offset {
          step = try destination.write(rest, at: offset + Int64(written))
        } else if destinationHasPeer {
          step = try destination.writeQuietly(rest)
        } else {
          step = try destination.write(rest)
        }
        // A file that accepts no bytes without an error would never be complete.
        if step == 0 { throw .ioError }
        written += step
      } catch {
        throw DataFailure(side: .writing, error: error)
      }
    }
  }

  /// Reads at most `room` bytes into the start of a buffer, at an offset or else at the source's
  /// file position.
  func read(
    into buffer: inout PageBuffer,
    upTo room: Int64,
    at offset: Int64? = nil
  ) throws(DataFailure) -> Int {
    let count = min(buffer.count, Int(clamping: room))
    do throws(SystemError) {
      guard let offset else { return try source.read(into: &buffer, 0..<count) }
      return try source.read(into: &buffer, count: count, at: offset)
    } catch {
      throw DataFailure(side: .reading, error: error)
    }
  }

  /// Reads at most `room` bytes like ``read(into:upTo:at:)``, and calls a closure with them.
  ///
  /// If several destinations share the reads, the bytes are those at the position `position`, which
  /// another destination may have read.
  ///
  /// - Returns: The number of bytes, 0 at the end of the source.
  func withBytes(
    _ buffer: inout PageBuffer,
    upTo room: Int64,
    at position: Int64,
    usesFilePosition: Bool,
    _ body: (RawSpan) throws(DataFailure) -> Void
  ) throws(DataFailure) -> Int {
    if let data = shared?.bytes(at: position), let region = data.regions.first {
      let count = min(data.count, Int(clamping: room))
      try body(region.bytes.extracting(0..<count))
      return count
    }
    let isStream = shared?.isStream ?? true
    let offset = usesFilePosition && isStream ? nil : position
    let count: Int
    do throws(DataFailure) {
      count = try read(into: &buffer, upTo: room, at: offset)
    } catch {
      shared?.noteFailure()
      // A source without positions, as some on FUSE, is read from its start.
      guard let shared, usesFilePosition, position == 0, error.error == .illegalSeek else {
        throw error
      }
      shared.isStream = true
      count = try read(into: &buffer, upTo: room)
    }
    shared?.note(buffer.bytes(0..<count))
    try body(buffer.bytes(0..<count))
    return count
  }

  /// Sets both positions behind the bytes that the destination has already.
  func moveToStart() throws(DataFailure) {
    try attempt(.copying, try source.setPosition(start))
    try attempt(.copying, try destination.setPosition(start))
  }

  /// Calls a closure that copies at offsets.
  ///
  /// - Returns: Nil, with an empty destination, if one of the files has no positions, as some on
  ///   FUSE.
  func atOffsets(_ body: () throws(DataFailure) -> Int64?) throws(DataFailure) -> Int64? {
    do throws(DataFailure) {
      return try body()
    } catch {
      guard error.error == .illegalSeek, start == 0, (digest?.count ?? 0) == 0 else { throw error }
      // A search for holes may have moved the position, and a copy of holes has set the length.
      try? source.setPosition(0)
      try setDestinationSize(0)
      progress.takeBack()
      return nil
    }
  }

  /// Makes transfers of both files bypass the page cache (direct I/O).
  ///
  /// It does nothing on FUSE, where a direct read may return other bytes than a buffered one.
  ///
  /// - Returns: False, with nothing changed, if one of the file systems does not support it.
  func bypassCache() -> Bool {
    if [source, destination].contains(where: { FileSystemKind(of: $0) == .fuse }) { return false }
    do throws(SystemError) {
      let flags = try source.statusFlags()
      try source.setStatusFlags(flags.union(.direct))
      do throws(SystemError) {
        try destination.setStatusFlags(destination.statusFlags().union(.direct))
        return true
      } catch {
        try source.setStatusFlags(flags)
        return false
      }
    } catch {
      return false
    }
  }

  /// Flushes a compared file and drops its pages from the page cache, if that is requested.
  ///
  /// The kernel reports a failed write only once, so that the file must not be kept then.
  ///
  /// - Returns: False if the flush has failed.
  func dropCompared() -> Bool {
    guard let dropper else { return true }
    return (try? dropper.finish()) != nil
  }
}

/// The checksum of a file for a manifest.
extension FilePair {
  /// Adds bytes that were copied at an offset, after the zeros of a hole before them.
  func addToDigest(_ bytes: RawSpan, at offset: Int64) throws(DataFailure) {
    guard let digest else { return }
    try addHoleToDigest(upTo: offset)
    digest.add(bytes)
  }

  /// Adds the zeros of a hole up to an offset.
  func addHoleToDigest(upTo end: Int64) throws(DataFailure) {
    guard let digest else { return }
    while digest.count < end {
      try throwIfStopping()
      digest.addZeros(upTo: end)
    }
  }

  /// Reads a clone, whose bytes have not passed through the process.
  func addCloneToDigest(_ buffer: inout PageBuffer) throws(DataFailure) {
    guard let digest else { return }
    let room = buffer.count
    var count = 0
    repeat {
      try throwIfStopping()
      count = try attempt(
        .reading,
        try destination.read(into: &buffer, count: room, at: digest.count)
      )
      digest.add(buffer.bytes(0..<count))
    } while count > 0
  }
}
