import SystemCalls

/// A copy of bytes that ended early.
struct DataFailure: Error {
  /// Which side failed.
  enum Side {
    case reading
    case writing
    case cloning
    case copying
    case resizing
    /// The copy was told to stop.
    case stopping
  }

  var side: Side
  var error: Errno
}

/// Two open files between which bytes are copied.
struct CopyEnds {
  var source: BorrowedDescriptor
  var destination: BorrowedDescriptor
  /// The source as it was when it was opened.
  var status: FileStatus
  /// Hears of the bytes that came over and tells when to stop.
  var monitor: CopyMonitor
  /// Sums up what passes by, where that is wanted.
  var sum: ContentSum?
  /// Keeps what was copied from staying in memory, where that is wanted.
  var dropper: CacheDropper?
  /// Whether the kernel may copy parts of a file, which on some file systems shares blocks.
  var copiesPartsInKernel = false

  /// Ends the copy of the file when the whole copy is to stop; asked before every step.
  func mayGoOn() throws(DataFailure) {
    if monitor.isStopping { throw DataFailure(side: .stopping, error: .canceled) }
  }

  /// Writes the first bytes of a buffer at the destination's file position.
  func write(_ buffer: [UInt8], count: Int) throws(DataFailure) {
    var written = 0
    while written < count {
      do throws(Errno) {
        let step = try destination.write(buffer, written..<count)
        // A file that takes nothing without an error would never be done.
        if step == 0 { throw .ioError }
        written += step
      } catch {
        throw DataFailure(side: .writing, error: error)
      }
    }
  }

  /// Writes a range of a buffer at an offset of the destination.
  func write(_ buffer: [UInt8], _ range: Range<Int>, at offset: Int64) throws(DataFailure) {
    var written = 0
    while written < range.count {
      do throws(Errno) {
        let rest = range.lowerBound + written..<range.upperBound
        let step = try destination.write(buffer, rest, at: offset + Int64(written))
        if step == 0 { throw .ioError }
        written += step
      } catch {
        throw DataFailure(side: .writing, error: error)
      }
    }
  }

  /// Reads at the source's file position into the start of a buffer.
  func read(into bytes: inout [UInt8]) throws(DataFailure) -> Int {
    do throws(Errno) {
      return try source.read(into: &bytes)
    } catch {
      throw DataFailure(side: .reading, error: error)
    }
  }
}
