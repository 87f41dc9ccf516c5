extension DataBuffer.Slice {
  /// Returns the range of the first occurrence of `pattern`, in offsets of the buffer.
  ///
  /// - Complexity: O(count + pattern)
  public func firstRange(of pattern: some Collection<UInt8>) -> Range<Int>? {
    buffer.firstRange(of: pattern, in: range)
  }

  /// Returns the range of the last occurrence of `pattern`, in offsets of the buffer.
  ///
  /// - Complexity: O(count + pattern)
  public func lastRange(of pattern: some Collection<UInt8>) -> Range<Int>? {
    buffer.lastRange(of: pattern, in: range)
  }

  /// Returns the ranges of all occurrences of `pattern`, in offsets of the buffer, without overlap.
  ///
  /// - Complexity: O(count + pattern)
  public func ranges(of pattern: some Collection<UInt8>) -> [Range<Int>] {
    buffer.ranges(of: pattern, in: range)
  }

  /// Returns whether the slice contains `pattern`. Every slice contains the empty pattern.
  ///
  /// - Complexity: O(count + pattern)
  public func contains(_ pattern: some Collection<UInt8>) -> Bool {
    firstRange(of: pattern) != nil
  }

  /// Speeds up `firstIndex(of:)`, which calls this function before it compares bytes one by one.
  public func _customIndexOfEquatableElement(_ byte: UInt8) -> Int?? {
    .some(buffer.firstIndex(of: byte, in: range))
  }

  /// Speeds up `lastIndex(of:)`, which calls this function before it compares bytes one by one.
  public func _customLastIndexOfEquatableElement(_ byte: UInt8) -> Int?? {
    .some(buffer.lastIndex(of: byte, in: range))
  }

  /// Speeds up `contains(_:)`, which calls this function before it compares bytes one by one.
  public func _customContainsEquatableElement(_ byte: UInt8) -> Bool? {
    buffer.firstIndex(of: byte, in: range) != nil
  }
}
