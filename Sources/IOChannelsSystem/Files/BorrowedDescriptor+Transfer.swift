internal import CIOChannelsSystem

/// The maximum number of bytes that the kernel transfers in one call; it shortens longer requests.
package let transferLengthLimit = 0x7fff_f000

extension BorrowedDescriptor {
  /// Reads at the file position into the start of `bytes`.
  ///
  /// - Returns: The number of bytes, 0 at the end of the file.
  public func read(into bytes: inout MutableRawSpan) throws(SystemError) -> Int {
    let count = bytes.byteCount
    return try unsafe bytes.withUnsafeMutableBytes { buffer throws(SystemError) in
      try uninterrupted { unsafe csys_read(rawValue, buffer.baseAddress, count) }
    }
  }

  /// Reads at `offset` into the start of `bytes`, without moving the file position.
  ///
  /// - Returns: The number of bytes, 0 at the end of the file.
  public func read(into bytes: inout MutableRawSpan, at offset: Int64) throws(SystemError) -> Int {
    let count = bytes.byteCount
    return try unsafe bytes.withUnsafeMutableBytes { buffer throws(SystemError) in
      try uninterrupted { unsafe csys_pread(rawValue, buffer.baseAddress, count, offset) }
    }
  }

  /// Appends bytes at `offset` to a span, as far as they are in the page cache.
  ///
  /// - Returns: The number of bytes, 0 at the end of the file. The span is not filled if only some
  ///   bytes are cached.
  /// - Throws: `EAGAIN` if the first byte is not cached, `EOPNOTSUPP` if the file system does not
  ///   support the call.
  package func readCached(
    into output: inout OutputRawSpan,
    at offset: Int64
  ) throws(SystemError) -> Int {
    let rawValue = rawValue
    return unsafe try output.withUnsafeMutableBytes { buffer, count throws(SystemError) in
      guard let start = buffer.baseAddress else { return 0 }
      var vector = unsafe csys_vector(bytes: start + count, count: buffer.count - count)
      let result = unsafe csys_preadv2(rawValue, &vector, 1, offset, CSYS_RWF_NOWAIT)
      if result.error != 0 { throw SystemError(rawValue: result.error) }
      count += Int(result.value)
      return Int(result.value)
    }
  }

  /// Writes `bytes` at the file position.
  ///
  /// - Returns: The number of bytes written, which may be fewer than given.
  public func write(_ bytes: RawSpan) throws(SystemError) -> Int {
    let count = bytes.byteCount
    return try unsafe bytes.withUnsafeBytes { buffer throws(SystemError) in
      try uninterrupted { unsafe csys_write(rawValue, buffer.baseAddress, count) }
    }
  }

  /// Writes `bytes` at the file position, and reports a closed reader by `EPIPE`, never by a
  /// signal.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - usesFlag: Whether the kernel is asked to raise no signal. Otherwise the thread blocks the
  ///     signal, as it does on kernels before 6.18.
  /// - Returns: The number of bytes written, which may be fewer than given.
  /// - Throws: The error of the call.
  package func writeQuietly(_ bytes: RawSpan, usesFlag: Bool = true) throws(SystemError) -> Int {
    let count = bytes.byteCount
    return try unsafe bytes.withUnsafeBytes { buffer throws(SystemError) in
      var vector = unsafe csys_vector(
        bytes: UnsafeMutableRawPointer(mutating: buffer.baseAddress),
        count: count
      )
      let call = unsafe usesFlag ? csys_pwritev2_quiet : csys_pwritev2_blocking_signal
      return try uninterrupted { unsafe call(rawValue, &vector, 1, -1, 0) }
    }
  }

  /// Writes `bytes` at `offset`, without moving the file position.
  ///
  /// - Returns: The number of bytes written, which may be fewer than given.
  public func write(_ bytes: RawSpan, at offset: Int64) throws(SystemError) -> Int {
    let count = bytes.byteCount
    return try unsafe bytes.withUnsafeBytes { buffer throws(SystemError) in
      try uninterrupted { unsafe csys_pwrite(rawValue, buffer.baseAddress, count, offset) }
    }
  }
}

/// Transfers with arrays, for callers that reuse one buffer for many files.
extension BorrowedDescriptor {
  /// Writes the bytes of a span at the file position.
  ///
  /// - Returns: The number of bytes written, which may be fewer than given.
  package func write(_ bytes: Span<UInt8>) throws(SystemError) -> Int {
    try unsafe write(bytes.bytes)
  }

  /// Reads at the file position into the start of an array, without changing its length.
  ///
  /// - Returns: The number of bytes, 0 at the end of the file.
  package func read(into bytes: inout [UInt8]) throws(SystemError) -> Int {
    var span = bytes.mutableSpan
    var buffer = unsafe span.mutableBytes
    return try read(into: &buffer)
  }

  /// Reads at `offset` into the start of an array, without changing its length.
  ///
  /// - Returns: The number of bytes, 0 at the end of the file.
  package func read(into bytes: inout [UInt8], at offset: Int64) throws(SystemError) -> Int {
    var span = bytes.mutableSpan
    var buffer = unsafe span.mutableBytes
    return try read(into: &buffer, at: offset)
  }

  /// Writes a part of an array at the file position.
  ///
  /// - Returns: The number of bytes written, which may be fewer than given.
  package func write(_ bytes: [UInt8], _ range: Range<Int>) throws(SystemError) -> Int {
    try unsafe write(bytes.span.bytes.extracting(range))
  }

  /// Writes an array at the file position, and reports a closed reader by `EPIPE`, never by a
  /// signal.
  ///
  /// - Returns: The number of bytes written, which may be fewer than given.
  package func writeQuietly(_ bytes: [UInt8], usesFlag: Bool = true) throws(SystemError) -> Int {
    try unsafe writeQuietly(bytes.span.bytes, usesFlag: usesFlag)
  }

  /// Writes a part of an array at `offset`, without moving the file position.
  ///
  /// - Returns: The number of bytes written, which may be fewer than given.
  package func write(
    _ bytes: [UInt8],
    _ range: Range<Int>,
    at offset: Int64
  ) throws(SystemError) -> Int {
    try unsafe write(bytes.span.bytes.extracting(range), at: offset)
  }
}
