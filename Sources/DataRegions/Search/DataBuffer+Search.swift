extension DataBuffer {
  /// Returns the offset of the first occurrence of a byte inside a range.
  ///
  /// Without a range, `firstIndex(of:)`, `lastIndex(of:)` and `contains(_:)` are as fast.
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(range)
  public func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    var found: Int?
    walk(range) { bytes, offset, stop in
      guard let index = bytes.firstIndex(of: byte) else { return }
      found = offset + index
      stop = true
    }
    return found
  }

  /// Returns the offset of the last occurrence of a byte inside a range.
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(range)
  public func lastIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    var found: Int?
    walkBackwards(range) { bytes, offset, stop in
      guard let index = bytes.lastIndex(of: byte, before: bytes.byteCount) else { return }
      found = offset + index
      stop = true
    }
    return found
  }

  /// Returns the range of the first occurrence of `pattern`, also across regions.
  ///
  /// An empty pattern is found at the start.
  ///
  /// - Complexity: O(count + pattern)
  public func firstRange(of pattern: some Collection<UInt8>) -> Range<Int>? {
    firstRange(of: pattern, in: 0..<count)
  }

  /// Returns the range of the first occurrence of `pattern` that lies completely inside `range`.
  ///
  /// An empty pattern is found at the start of the range.
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(range + pattern)
  public func firstRange(of pattern: some Collection<UInt8>, in range: Range<Int>) -> Range<Int>? {
    BytePattern(pattern).firstRange(in: self, range)
  }

  /// Returns the range of the last occurrence of `pattern`, also across regions.
  ///
  /// An empty pattern is found at the end.
  ///
  /// - Complexity: O(count + pattern)
  public func lastRange(of pattern: some Collection<UInt8>) -> Range<Int>? {
    lastRange(of: pattern, in: 0..<count)
  }

  /// Returns the range of the last occurrence of `pattern` that lies completely inside `range`.
  ///
  /// An empty pattern is found at the end of the range.
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(range + pattern)
  public func lastRange(of pattern: some Collection<UInt8>, in range: Range<Int>) -> Range<Int>? {
    BytePattern(pattern, direction: .backwards).lastRange(in: self, range)
  }

  /// Returns the ranges of all occurrences of `pattern` in order, without overlap.
  ///
  /// An empty pattern is found at every offset and at the end.
  ///
  /// - Complexity: O(count + pattern)
  public func ranges(of pattern: some Collection<UInt8>) -> [Range<Int>] {
    ranges(of: pattern, in: 0..<count)
  }

  /// Returns the ranges of all occurrences of `pattern` that lie completely inside `range`.
  ///
  /// The search runs from the start of the range, and matches do not overlap. An empty pattern is
  /// found at every offset of the range and at its end.
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(range + pattern)
  public func ranges(of pattern: some Collection<UInt8>, in range: Range<Int>) -> [Range<Int>] {
    BytePattern(pattern).ranges(in: self, range)
  }

  /// Returns whether the buffer contains `pattern`, as it does an empty one.
  ///
  /// - Complexity: O(count + pattern)
  public func contains(_ pattern: some Collection<UInt8>) -> Bool {
    firstRange(of: pattern) != nil
  }

  /// Speeds up `firstIndex(of:)`, which calls this function before it compares bytes one by one.
  public func _customIndexOfEquatableElement(_ byte: UInt8) -> Int?? {
    .some(firstIndex(of: byte, in: 0..<count))
  }

  /// Speeds up `lastIndex(of:)`, which calls this function before it compares bytes one by one.
  public func _customLastIndexOfEquatableElement(_ byte: UInt8) -> Int?? {
    .some(lastIndex(of: byte, in: 0..<count))
  }

  /// Speeds up `contains(_:)`, which calls this function before it compares bytes one by one.
  public func _customContainsEquatableElement(_ byte: UInt8) -> Bool? {
    firstIndex(of: byte, in: 0..<count) != nil
  }
}
