/// A sequence of bytes, prepared for a search from one end of a text.
///
/// The text is read once, so a match may span several regions, and the time is linear for all
/// inputs. While no byte is matched, only the first byte of the pattern is searched for.
struct BytePattern {
  enum Direction {
    case forwards
    case backwards
  }

  private let direction: Direction

  /// The bytes in search order.
  private let bytes: ContiguousArray<UInt8>

  /// For each number of matched bytes, less one: the number that stays matched after a mismatch.
  ///
  /// That is the length of the longest proper prefix of the matched bytes that is also their
  /// suffix.
  private let fallbacks: ContiguousArray<Int>

  init(_ pattern: some Collection<UInt8>, direction: Direction = .forwards) {
    self.direction = direction
    var bytes = ContiguousArray(pattern)
    if direction == .backwards { bytes.reverse() }
    var fallbacks = ContiguousArray(repeating: 0, count: bytes.count)
    var matched = 0
    for index in bytes.indices.dropFirst() {
      while matched > 0, bytes[index] != bytes[matched] { matched = fallbacks[matched - 1] }
      if bytes[index] == bytes[matched] { matched += 1 }
      fallbacks[index] = matched
    }
    self.bytes = bytes
    self.fallbacks = fallbacks
  }

  var isEmpty: Bool { bytes.isEmpty }

  /// Returns the first range of a forward pattern inside `range`; an empty pattern matches at its
  /// start.
  ///
  /// - Complexity: O(range)
  func firstRange(in buffer: DataBuffer, _ range: Range<Int>) -> Range<Int>? {
    buffer.requireInside(range)
    if isEmpty { return range.lowerBound..<range.lowerBound }
    var matched = 0
    var found: Range<Int>?
    buffer.walk(range) { text, offset, stop in
      guard let read = advance(&matched, over: text) else { return }
      found = offset + read - bytes.count..<offset + read
      stop = true
    }
    return found
  }

  /// Returns the last range of a backward pattern inside `range`; an empty pattern matches at its
  /// end.
  ///
  /// - Complexity: O(range)
  func lastRange(in buffer: DataBuffer, _ range: Range<Int>) -> Range<Int>? {
    buffer.requireInside(range)
    if isEmpty { return range.upperBound..<range.upperBound }
    var matched = 0
    var found: Range<Int>?
    buffer.walkBackwards(range) { text, offset, stop in
      guard let read = advance(&matched, over: text) else { return }
      let start = offset + text.byteCount - read
      found = start..<start + bytes.count
      stop = true
    }
    return found
  }

  /// Returns the ranges of a forward pattern inside `range`, from its start on, without overlap.
  ///
  /// - Complexity: O(range)
  func ranges(in buffer: DataBuffer, _ range: Range<Int>) -> [Range<Int>] {
    buffer.requireInside(range)
    if isEmpty { return (range.lowerBound...range.upperBound).map { $0..<$0 } }
    var matched = 0
    var found: [Range<Int>] = []
    buffer.walk(range) { text, offset, _ in
      var start = 0
      while let read = advance(&matched, over: text, from: start) {
        found.append(offset + read - bytes.count..<offset + read)
        matched = 0
        start = read
      }
    }
    return found
  }

  /// Reads `text` in the pattern's direction, after `matched` bytes that matched before it.
  ///
  /// The first `start` bytes in that direction were read before. Returns the number of bytes read
  /// at the end of a match, or `nil` when there is none.
  private func advance(
    _ matched: inout Int,
    over text: RawSpan,
    from start: Int = 0
  ) -> Int? {
    let elements = text.elements
    var read = start
    while read < elements.count {
      if matched == 0 {
        guard let skipped = nextStart(in: text, from: read) else { return nil }
        read = skipped
      }
      let byte = elements[direction == .forwards ? read : elements.count - 1 - read]
      while matched > 0, byte != bytes[matched] { matched = fallbacks[matched - 1] }
      if byte == bytes[matched] { matched += 1 }
      read += 1
      if matched == bytes.count { return read }
    }
    return nil
  }

  /// Returns the number of bytes before the next one that can start the pattern, `read` or more.
  private func nextStart(in text: RawSpan, from read: Int) -> Int? {
    switch direction {
    case .forwards: text.firstIndex(of: bytes[0], from: read)
    case .backwards:
      text.lastIndex(of: bytes[0], before: text.byteCount - read)
        .map { text.byteCount - 1 - $0 }
    }
  }
}
