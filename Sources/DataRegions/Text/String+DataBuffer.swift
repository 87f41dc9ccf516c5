extension String {
  /// Makes a string of UTF-8 that is whole.
  ///
  /// A byte order mark is a character like others.
  ///
  /// - Throws: The offset of the first byte that belongs to no whole character (S57).
  /// - Complexity: O(count); the bytes are copied once, and regions are not joined.
  public init(validating buffer: DataBuffer) throws(DataFormatError) {
    try buffer.validateUTF8()
    self.init(repairing: buffer)
  }

  /// Makes a string of UTF-8, with the replacement character for what is malformed.
  ///
  /// The string is the one that `String(decoding:as:)` gives (S59).
  ///
  /// - Complexity: O(count); well-formed bytes are copied once, and regions are not joined.
  public init(repairing buffer: DataBuffer) {
    unsafe self.init(unsafeUninitializedCapacity: buffer.count) { storage in
      unsafe buffer.copyBytes(to: UnsafeMutableRawBufferPointer(storage))
    }
  }
}
