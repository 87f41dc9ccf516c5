extension DataBuffer {
  /// Copies memory to the end, as `append(bytes:)` does.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    unsafe append(bytes: bytes.bytes)
  }

  /// Copies the bytes of a sequence to the end, as `append(bytes:)` does.
  ///
  /// - Complexity: Amortised O(bytes); bytes that do not lie in one place are copied twice.
  @inlinable
  public mutating func append(contentsOf bytes: some Sequence<UInt8>) {
    let isDone: Void? = bytes.withContiguousStorageIfAvailable { storage in
      unsafe append(bytes: storage.span.bytes)
    }
    if isDone == nil { unsafe append(bytes: ContiguousArray(bytes).span.bytes) }
  }

  /// Copies bytes to the start of a span.
  ///
  /// - Parameters:
  ///   - destination: The span to fill; when it is shorter than the range, the rest is not copied.
  ///   - range: The bytes to copy, all when it is `nil`; it lies inside the buffer.
  /// - Returns: The number of bytes copied.
  @discardableResult
  public func copyBytes(
    to destination: inout MutableRawSpan,
    from range: Range<Int>? = nil
  ) -> Int {
    unsafe destination.withUnsafeMutableBytes { unsafe copyBytes(to: $0, from: range) }
  }

  /// Appends all bytes to a span.
  ///
  /// - Precondition: The span has room for them.
  /// - Complexity: O(count)
  public func copyBytes(appendingTo output: inout OutputRawSpan) {
    requireUse(count <= output.freeCapacity, "The span has no room for the buffer.", "S50")
    unsafe output.withUnsafeMutableBytes { bytes, initializedCount in
      let free = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[initializedCount...])
      initializedCount += unsafe copyBytes(to: free)
    }
  }

  /// Copies bytes to the start of initialized or uninitialized memory.
  ///
  /// - Parameters:
  ///   - destination: The memory to fill; when it is shorter than the range, the rest is not
  ///     copied.
  ///   - range: The bytes to copy, all when it is `nil`; it lies inside the buffer.
  /// - Returns: The number of bytes copied.
  @discardableResult
  public func copyBytes(
    to destination: UnsafeMutableRawBufferPointer,
    from range: Range<Int>? = nil
  ) -> Int {
    let range = range ?? 0..<count
    requireInside(range)
    let start = range.lowerBound
    let length = Swift.min(range.count, destination.count)
    walk(start..<start + length) { bytes, offset, _ in
      unsafe destination.copy(bytes, at: offset - start)
    }
    return length
  }

  /// Calls a function with the bytes in contiguous memory.
  ///
  /// - Complexity: O(1) for a buffer of one region; the bytes of several are copied first.
  public func withUnsafeBytes<Result: ~Copyable, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard case .region(let piece) = flattened().storage else {
      return unsafe try body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    return unsafe try piece.bytes.withUnsafeBytes(body)
  }

  /// Calls a function with the bytes when they are contiguous.
  ///
  /// - Returns: The result of the function, or `nil` for a buffer of several regions.
  public func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    switch storage {
    case .empty:
      return unsafe try body(UnsafeBufferPointer(start: nil, count: 0))
    case .region(let piece):
      return unsafe try piece.bytes.withUnsafeBytes { bytes in
        unsafe try bytes.withMemoryRebound(to: UInt8.self, body)
      }
    case .tree:
      return nil
    }
  }

  /// Copies the bytes into the memory of a container of the standard library.
  ///
  /// The standard library calls this function, for example in `[UInt8](buffer)`, to copy regions
  /// instead of single bytes. Programs do not need to call this function.
  public func _copyContents(
    initializing target: UnsafeMutableBufferPointer<UInt8>
  ) -> (Iterator, Int) {
    let copied = unsafe copyBytes(to: UnsafeMutableRawBufferPointer(target))
    return (subdata(in: copied..<count).makeIterator(), copied)
  }
}

extension DataBuffer.Slice {
  /// Calls a function with the bytes when they are contiguous.
  ///
  /// - Returns: The result of the function, or `nil` for bytes of several regions.
  public func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    unsafe try DataBuffer(self).withContiguousStorageIfAvailable(body)
  }

  /// Copies the bytes into the memory of a container of the standard library.
  ///
  /// The standard library calls this function. Programs do not need to call it.
  public func _copyContents(
    initializing target: UnsafeMutableBufferPointer<UInt8>
  ) -> (DataBuffer.Iterator, Int) {
    unsafe DataBuffer(self)._copyContents(initializing: target)
  }
}

extension DataBuffer.Region {
  /// The address of the first byte, valid while the region or its buffer is kept.
  package var start: UnsafeRawPointer { unsafe piece.start }

  /// Calls a function with the bytes.
  public func withUnsafeBytes<Result: ~Copyable, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try bytes.withUnsafeBytes(body)
  }

  /// Calls a function with the bytes, which are always contiguous.
  public func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    unsafe try bytes.withUnsafeBytes { bytes in
      unsafe try bytes.withMemoryRebound(to: UInt8.self, body)
    }
  }
}
