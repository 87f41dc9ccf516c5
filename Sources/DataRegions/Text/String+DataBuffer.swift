extension String {
  /// Creates a string from valid UTF-8.
  ///
  /// A byte order mark is a character like others.
  ///
  /// - Throws: The offset of the first byte that belongs to no complete character
  ///   (<doc:Rules#S57>).
  /// - Complexity: O(count); the bytes are copied once, and regions are not joined.
  public init(validating buffer: DataBuffer) throws(DataFormatError) {
    try buffer.validateUTF8()
    self.init(repairing: buffer)
  }

  /// Creates a string from UTF-8, with replacement characters for malformed bytes.
  ///
  /// The string equals that of `String(decoding:as:)`.
  ///
  /// - Complexity: O(count); well-formed bytes are copied once, and regions are not joined.
  public init(repairing buffer: DataBuffer) {
    unsafe self.init(unsafeUninitializedCapacity: buffer.count) { storage in
      unsafe buffer.copyBytes(to: UnsafeMutableRawBufferPointer(storage))
    }
  }
}
