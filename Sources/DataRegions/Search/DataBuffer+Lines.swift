extension DataBuffer {
  /// The lines of the buffer, found lazily.
  public var lines: Lines { Lines(buffer: self) }

  /// The lines of a buffer, without their line endings.
  ///
  /// A line ends with a line feed, or with a carriage return and a line feed, which may lie in
  /// different regions. A carriage return elsewhere is a byte of its line. The last line needs no
  /// ending, an ending at the end of the buffer starts no further line, and an empty buffer has no
  /// lines.
  public struct Lines: Sequence, Sendable {
    let buffer: DataBuffer

    /// Creates an iterator that starts at the first line.
    public func makeIterator() -> Iterator { Iterator(rest: buffer) }

    /// An iterator over lines, which share the buffer's memory.
    public struct Iterator: IteratorProtocol, Sendable {
      private let buffer: DataBuffer
      private var start = 0

      init(rest: DataBuffer) {
        buffer = rest
      }

      /// Returns the next line, or `nil` after the last one.
      ///
      /// - Complexity: O(line + log regions)
      public mutating func next() -> DataBuffer? {
        if start == buffer.count { return nil }
        let feed = buffer.firstIndex(of: 0x0a, in: start..<buffer.count)
        var end = feed ?? buffer.count
        let line = start
        start = feed.map { $0 + 1 } ?? end
        if feed != nil, end > line, buffer[end - 1] == 0x0d { end -= 1 }
        return buffer.subdata(in: line..<end)
      }
    }
  }
}

extension DataBuffer.Region {
  /// Returns the line that begins at a position, without the bytes that end it, and the position
  /// after them.
  ///
  /// - Parameters:
  ///   - start: The position of the first byte, not negative.
  ///   - limit: The largest number of bytes of a line.
  ///   - removesReturn: Whether a carriage return before the line feed is no part of the line.
  /// - Returns: Nil if the line has no line feed in this region, or more bytes than the limit.
  package func line(
    from start: Int,
    upTo limit: Int,
    removesReturn: Bool
  ) -> (line: DataBuffer, end: Int)? {
    guard start < count, let feed = bytes.firstIndex(of: 0x0a, from: start) else { return nil }
    let isReturned = removesReturn && feed > start && bytes.elements[feed - 1] == 0x0d
    let end = isReturned ? feed - 1 : feed
    if end - start > limit { return nil }
    let line: DataBuffer.Storage =
      end == start ? .empty : .region(piece.trimmed(to: start..<end))
    return (DataBuffer(line), feed + 1)
  }
}
