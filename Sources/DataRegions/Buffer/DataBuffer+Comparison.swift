extension DataBuffer: Hashable {
  /// Returns whether both buffers hold the same bytes, however they are divided into regions.
  ///
  /// - Complexity: O(count)
  public static func == (left: DataBuffer, right: DataBuffer) -> Bool {
    guard left.count == right.count else { return false }
    var others = right.regions.makeIterator()
    var other = others.next()
    var areEqual = true
    left.walk(0..<left.count) { bytes, offset, stop in
      var start = 0
      while areEqual, start < bytes.byteCount, let region = other {
        let otherStart = offset + start - region.offset
        let length = Swift.min(bytes.byteCount - start, region.count - otherStart)
        areEqual = bytes.extracting(start..<start + length).holdsSameBytes(
          as: region.bytes.extracting(otherStart..<otherStart + length)
        )
        start += length
        if otherStart + length == region.count { other = others.next() }
      }
      stop = !areEqual
    }
    return areEqual
  }

  /// Feeds the bytes into a hasher; their division into regions has no effect.
  ///
  /// - Complexity: O(count)
  public func hash(into hasher: inout Hasher) {
    // A hasher treats its input as one stream, so the division into calls has no effect. A test
    // checks that.
    hasher.combine(count)
    walk(0..<count) { bytes, _, _ in bytes.hash(into: &hasher) }
  }
}
