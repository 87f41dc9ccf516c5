internal import CSystem

/// The most bytes that the kernel moves in one call; longer requests are cut there.
public let transferLengthLimit = 0x7fff_f000

extension BorrowedDescriptor {
  /// Reads at the file position into the start of `bytes`.
  ///
  /// - Returns: The number of bytes, 0 at the end of the file.
  public func read(into bytes: inout MutableRawSpan) throws(Errno) -> Int {
    let count = bytes.byteCount
    return try unsafe bytes.withUnsafeMutableBytes { buffer throws(Errno) in
      try uninterrupted { unsafe csys_read(rawValue, buffer.baseAddress, count) }
    }
  }

  /// Reads at `offset` into the start of `bytes`, leaving the file position alone.
  ///
  /// - Returns: The number of bytes, 0 at the end of the file.
  public func read(into bytes: inout MutableRawSpan, at offset: Int64) throws(Errno) -> Int {
    let count = bytes.byteCount
    return try unsafe bytes.withUnsafeMutableBytes { buffer throws(Errno) in
      try uninterrupted { unsafe csys_pread(rawValue, buffer.baseAddress, count, offset) }
    }
  }

  /// Writes `bytes` at the file position.
  ///
  /// - Returns: The number of bytes written, which may be fewer than given.
  public func write(_ bytes: RawSpan) throws(Errno) -> Int {
    let count = bytes.byteCount
    return try unsafe bytes.withUnsafeBytes { buffer throws(Errno) in
      try uninterrupted { unsafe csys_write(rawValue, buffer.baseAddress, count) }
    }
  }

  /// Writes `bytes` at `offset`, leaving the file position alone.
  ///
  /// - Returns: The number of bytes written, which may be fewer than given.
  public func write(_ bytes: RawSpan, at offset: Int64) throws(Errno) -> Int {
    let count = bytes.byteCount
    return try unsafe bytes.withUnsafeBytes { buffer throws(Errno) in
      try uninterrupted { unsafe csys_pwrite(rawValue, buffer.baseAddress, count, offset) }
    }
  }
}
