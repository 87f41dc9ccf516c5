extension DataBuffer {
  /// Returns the parts between separators of one byte, without copying them.
  ///
  /// The parameters are those of the standard library's collections. The parts are buffers whose
  /// offsets start at 0.
  ///
  /// - Parameters:
  ///   - separator: The byte between the parts, which belongs to none of them.
  ///   - maxSplits: The maximum number of splits, not negative; the rest is the last part.
  ///   - omittingEmptySubsequences: Whether parts without bytes are left out.
  /// - Returns: The parts in their order.
  /// - Complexity: O(count + parts · log regions)
  public func split(
    separator: UInt8,
    maxSplits: Int = .max,
    omittingEmptySubsequences: Bool = true
  ) -> [DataBuffer] {
    parts(maxSplits, omittingEmptySubsequences) { range in
      firstIndex(of: separator, in: range).map { $0..<$0 + 1 }
    }
  }

  /// Returns the parts between occurrences of a sequence of bytes, without copying them.
  ///
  /// Separators are found from the start on and do not overlap; they may cross regions.
  ///
  /// - Parameters:
  ///   - separator: The bytes between the parts, at least one.
  ///   - maxSplits: The maximum number of splits, not negative; the rest is the last part.
  ///   - omittingEmptySubsequences: Whether parts without bytes are left out.
  /// - Returns: The parts in their order.
  /// - Complexity: O(count + separator + parts · log regions)
  public func split(
    separator: some Collection<UInt8>,
    maxSplits: Int = .max,
    omittingEmptySubsequences: Bool = true
  ) -> [DataBuffer] {
    let pattern = BytePattern(separator)
    requireUse(!pattern.isEmpty, "A separator has at least one byte.", "S53")
    return parts(maxSplits, omittingEmptySubsequences) { pattern.firstRange(in: self, $0) }
  }

  private func parts(
    _ maxSplits: Int,
    _ omitsEmpty: Bool,
    separator: (Range<Int>) -> Range<Int>?
  ) -> [DataBuffer] {
    requireUse(maxSplits >= 0, "The number of splits is not negative.", "S173")
    var parts: [DataBuffer] = []
    var start = 0
    while parts.count < maxSplits, let cut = separator(start..<count) {
      if !omitsEmpty || cut.lowerBound > start {
        parts.append(subdata(in: start..<cut.lowerBound))
      }
      start = cut.upperBound
    }
    if !omitsEmpty || start < count { parts.append(subdata(in: start..<count)) }
    return parts
  }
}
