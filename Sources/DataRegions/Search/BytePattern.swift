/// A sequence of bytes, prepared to be looked for from one end of a text on.
///
/// Text is read once and never again, so a match may lie in several regions and the time is linear
/// whatever the bytes are. Where nothing is matched yet, only the first byte is looked for.
struct BytePattern {
  enum Direction {
    case forwards
    case backwards
  }

  private let direction: Direction

  /// The bytes in the order in which they are looked for.
  private let bytes: ContiguousArray<UInt8>

  /// For each number of matched bytes, less one: how many stay matched when the next one does not.
  ///
  /// That is the length of the longest proper start of the matched bytes that is also their end.
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

  /// Where a forward pattern first lies completely inside `range`; an empty one lies at its start.
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

  /// Where a backward pattern last lies completely inside `range`; an empty one lies at its end.
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

  /// Where a forward pattern lies inside `range`, from its start on and without overlap.
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

  /// Reads `text` in the pattern's direction behind `matched` bytes that matched before it.
  ///
  /// The first `start` bytes in that direction were read before. It returns how many were read
  /// where a match ends, or `nil` when none does.
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

  /// How many bytes lie before the next one that starts the pattern, `read` or more.
  private func nextStart(in text: RawSpan, from read: Int) -> Int? {
    switch direction {
    case .forwards: text.firstIndex(of: bytes[0], from: read)
    case .backwards:
      text.lastIndex(of: bytes[0], before: text.byteCount - read)
        .map { text.byteCount - 1 - $0 }
    }
  }
}
