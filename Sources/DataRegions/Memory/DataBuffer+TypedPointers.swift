extension DataBuffer {
  /// Copies memory into one region, as the initializer for raw memory does.
  public init(bytes buffer: UnsafeBufferPointer<UInt8>) {
    unsafe self.init(bytes: UnsafeRawBufferPointer(buffer))
  }

  /// Creates a buffer that refers to memory without copying it, as the initializer for raw memory
  /// does.
  public init(bytesNoCopy bytes: UnsafeBufferPointer<UInt8>, deallocator: Deallocator = .free) {
    unsafe self.init(bytesNoCopy: UnsafeRawBufferPointer(bytes), deallocator: deallocator)
  }

  /// Calls a function with the address of the first byte, as an address of values of another type.
  ///
  /// All bytes follow in contiguous memory. The address may not be aligned for the type. The
  /// address that an empty buffer passes must not be read (<doc:Rules#S218>).
  ///
  /// - Complexity: O(1) for a buffer of one region; the bytes of several are copied first.
  @_disfavoredOverload
  public func withUnsafeBytes<Result, ContentType>(
    body: (UnsafePointer<ContentType>) throws -> Result
  ) rethrows -> Result {
    unsafe try withUnsafeBytes { bytes in
      let start = bytes.baseAddress
      let other = unsafe UnsafeRawPointer(bitPattern: MemoryLayout<ContentType>.alignment)
      guard let start = unsafe start ?? other else {
        stop(saying: "The alignment of a type is not 0.")
      }
      // Other values and threads have the memory too, so it is not bound to the type.
      return unsafe try body(start.assumingMemoryBound(to: ContentType.self))
    }
  }

  /// Calls a function with the memory of each region and the offset of its first byte, in order.
  ///
  /// The function stops the iteration by setting its last parameter. The memory is valid until the
  /// function returns. A loop over `regions` shows the same bytes as spans, and may throw errors.
  public func enumerateBytes(
    _ block: (_ buffer: UnsafeBufferPointer<UInt8>, _ byteIndex: Int, _ stop: inout Bool) -> Void
  ) {
    walk(0..<count) { bytes, offset, stop in
      unsafe bytes.withUnsafeBytes { bytes in
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let buffer = unsafe UnsafeBufferPointer(start: start, count: bytes.count)
        unsafe block(buffer, offset, &stop)
      }
    }
  }

  /// Copies `count` bytes of memory to the end, as `append(bytes:)` does.
  public mutating func append(_ bytes: UnsafePointer<UInt8>, count: Int) {
    requireUse(count >= 0, "The number of appended bytes is not negative.", "S173")
    unsafe append(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Copies the bytes of values to the end, as `append(bytes:)` does.
  public mutating func append<SourceType>(_ buffer: UnsafeBufferPointer<SourceType>) {
    unsafe append(UnsafeRawBufferPointer(buffer))
  }

  /// Copies the first `count` bytes, or all bytes of a shorter buffer, to an address.
  public func copyBytes(to pointer: UnsafeMutablePointer<UInt8>, count: Int) {
    requireUse(count >= 0, "The number of copied bytes is not negative.", "S173")
    unsafe copyBytes(to: UnsafeMutableRawBufferPointer(start: pointer, count: count))
  }

  /// Copies the first `count` bytes, or all bytes of a shorter buffer, to the start of memory.
  ///
  /// When the memory is shorter, the rest is not copied.
  public func copyBytes(to pointer: UnsafeMutableRawBufferPointer, count: Int) {
    requireUse(count >= 0, "The number of copied bytes is not negative.", "S173")
    unsafe copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: pointer.prefix(count)))
  }

  /// Copies the bytes of a range to an address.
  ///
  /// - Precondition: The range lies inside the buffer.
  public func copyBytes(to pointer: UnsafeMutablePointer<UInt8>, from range: Range<Int>) {
    let target = unsafe UnsafeMutableRawBufferPointer(start: pointer, count: range.count)
    unsafe copyBytes(to: target, from: range)
  }

  /// Copies bytes to the start of memory for values of any type.
  ///
  /// - Parameters:
  ///   - buffer: The memory to fill; when it is shorter than the range, the rest is not copied.
  ///   - range: The bytes to copy, all when it is `nil`; it lies inside the buffer.
  /// - Returns: The number of bytes copied, of which the last may not complete a value.
  @discardableResult
  public func copyBytes<DestinationType>(
    to buffer: UnsafeMutableBufferPointer<DestinationType>,
    from range: Range<Int>? = nil
  ) -> Int {
    unsafe copyBytes(to: UnsafeMutableRawBufferPointer(buffer), from: range)
  }
}
