extension DataBuffer {
  /// Finds the first of a byte inside a range.
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

  /// Finds the last of a byte inside a range.
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

  /// Finds the first place of a sequence of bytes, also where it crosses regions.
  ///
  /// An empty sequence is found at the start (S53).
  ///
  /// - Complexity: O(count + pattern)
  public func firstRange(of pattern: some Collection<UInt8>) -> Range<Int>? {
    firstRange(of: pattern, in: 0..<count)
  }

  /// Finds the first place of a sequence of bytes that lies completely inside a range.
  ///
  /// An empty sequence is found at the start of the range (S53).
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(range + pattern)
  public func firstRange(of pattern: some Collection<UInt8>, in range: Range<Int>) -> Range<Int>? {
    BytePattern(pattern).firstRange(in: self, range)
  }

  /// Finds the last place of a sequence of bytes, also where it crosses regions.
  ///
  /// An empty sequence is found at the end (S53).
  ///
  /// - Complexity: O(count + pattern)
  public func lastRange(of pattern: some Collection<UInt8>) -> Range<Int>? {
    lastRange(of: pattern, in: 0..<count)
  }

  /// Finds the last place of a sequence of bytes that lies completely inside a range.
  ///
  /// An empty sequence is found at the end of the range (S53).
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(range + pattern)
  public func lastRange(of pattern: some Collection<UInt8>, in range: Range<Int>) -> Range<Int>? {
    BytePattern(pattern, direction: .backwards).lastRange(in: self, range)
  }

  /// Finds all places of a sequence of bytes from the start on, without overlap.
  ///
  /// An empty sequence is found at every offset and at the end (S53).
  ///
  /// - Complexity: O(count + pattern)
  public func ranges(of pattern: some Collection<UInt8>) -> [Range<Int>] {
    ranges(of: pattern, in: 0..<count)
  }

  /// Finds all places of a sequence of bytes that lie completely inside a range.
  ///
  /// They are found from the start of the range on and do not overlap. An empty sequence is found
  /// at every offset of the range and at its end (S53).
  ///
  /// - Precondition: The range lies inside the buffer.
  /// - Complexity: O(range + pattern)
  public func ranges(of pattern: some Collection<UInt8>, in range: Range<Int>) -> [Range<Int>] {
    BytePattern(pattern).ranges(in: self, range)
  }

  /// Whether a sequence of bytes occurs; an empty one does.
  ///
  /// - Complexity: O(count + pattern)
  public func contains(_ pattern: some Collection<UInt8>) -> Bool {
    firstRange(of: pattern) != nil
  }

  /// What `firstIndex(of:)` asks before it compares bytes one by one.
  public func _customIndexOfEquatableElement(_ byte: UInt8) -> Int?? {
    .some(firstIndex(of: byte, in: 0..<count))
  }

  /// What `lastIndex(of:)` asks before it compares bytes one by one.
  public func _customLastIndexOfEquatableElement(_ byte: UInt8) -> Int?? {
    .some(lastIndex(of: byte, in: 0..<count))
  }

  /// What `contains(_:)` asks before it compares bytes one by one.
  public func _customContainsEquatableElement(_ byte: UInt8) -> Bool? {
    firstIndex(of: byte, in: 0..<count) != nil
  }
}
