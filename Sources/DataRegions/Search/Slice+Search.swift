extension DataBuffer.Slice {
  /// Finds the first place of a sequence of bytes, as a buffer does; offsets are the buffer's.
  ///
  /// - Complexity: O(count + pattern)
  public func firstRange(of pattern: some Collection<UInt8>) -> Range<Int>? {
    buffer.firstRange(of: pattern, in: range)
  }

  /// Finds the last place of a sequence of bytes, as a buffer does; offsets are the buffer's.
  ///
  /// - Complexity: O(count + pattern)
  public func lastRange(of pattern: some Collection<UInt8>) -> Range<Int>? {
    buffer.lastRange(of: pattern, in: range)
  }

  /// Finds all places of a sequence of bytes, as a buffer does; offsets are the buffer's.
  ///
  /// - Complexity: O(count + pattern)
  public func ranges(of pattern: some Collection<UInt8>) -> [Range<Int>] {
    buffer.ranges(of: pattern, in: range)
  }

  /// Whether a sequence of bytes occurs; an empty one does.
  ///
  /// - Complexity: O(count + pattern)
  public func contains(_ pattern: some Collection<UInt8>) -> Bool {
    firstRange(of: pattern) != nil
  }

  /// What `firstIndex(of:)` asks before it compares bytes one by one.
  public func _customIndexOfEquatableElement(_ byte: UInt8) -> Int?? {
    .some(buffer.firstIndex(of: byte, in: range))
  }

  /// What `lastIndex(of:)` asks before it compares bytes one by one.
  public func _customLastIndexOfEquatableElement(_ byte: UInt8) -> Int?? {
    .some(buffer.lastIndex(of: byte, in: range))
  }

  /// What `contains(_:)` asks before it compares bytes one by one.
  public func _customContainsEquatableElement(_ byte: UInt8) -> Bool? {
    buffer.firstIndex(of: byte, in: range) != nil
  }
}
