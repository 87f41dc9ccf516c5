extension DataBuffer {
  /// The lines of the buffer, found one by one while they are walked.
  public var lines: Lines { Lines(buffer: self) }

  /// The lines of a buffer, without what ends them.
  ///
  /// A line ends with a line feed, or with a carriage return and a line feed, in whatever regions
  /// these lie. A carriage return elsewhere is a byte of its line. The last line needs no end, an
  /// end starts no further line, and a buffer without bytes has no lines (S54).
  public struct Lines: Sequence, Sendable {
    let buffer: DataBuffer

    /// Makes an iterator from the first line on.
    public func makeIterator() -> Iterator { Iterator(rest: buffer) }

    /// Gives the lines one after the other; they share the buffer's memory.
    public struct Iterator: IteratorProtocol, Sendable {
      private let buffer: DataBuffer
      private var start = 0

      init(rest: DataBuffer) {
        buffer = rest
      }

      /// The next line, or `nil` behind the last one.
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
