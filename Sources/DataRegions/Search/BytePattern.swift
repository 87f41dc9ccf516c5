/// A sequence of bytes, prepared to be looked for.
///
/// Text is read once and never again, so a match may lie in several regions and the time is linear
/// whatever the bytes are. Where nothing is matched yet, the C library looks for the first byte.
struct BytePattern {
  private let bytes: ContiguousArray<UInt8>

  /// For each number of matched bytes, less one: how many stay matched when the next one does not.
  ///
  /// That is the length of the longest proper start of the matched bytes that is also their end.
  private let fallbacks: ContiguousArray<Int>

  init(_ pattern: some Collection<UInt8>) {
    bytes = ContiguousArray(pattern)
    var fallbacks = ContiguousArray(repeating: 0, count: bytes.count)
    var matched = 0
    for index in bytes.indices.dropFirst() {
      while matched > 0, bytes[index] != bytes[matched] { matched = fallbacks[matched - 1] }
      if bytes[index] == bytes[matched] { matched += 1 }
      fallbacks[index] = matched
    }
    self.fallbacks = fallbacks
  }

  var isEmpty: Bool { bytes.isEmpty }

  /// Where the pattern first lies completely inside `range`; an empty one lies at its start.
  ///
  /// - Complexity: O(range)
  func firstRange(in buffer: DataBuffer, _ range: Range<Int>) -> Range<Int>? {
    buffer.requireInside(range)
    if bytes.isEmpty { return range.lowerBound..<range.lowerBound }
    var matched = 0
    var found: Range<Int>?
    buffer.walk(range) { text, offset, stop in
      guard let end = advance(&matched, over: text) else { return }
      found = offset + end - bytes.count..<offset + end
      stop = true
    }
    return found
  }

  /// Reads `text` behind `matched` bytes that matched before it.
  ///
  /// - Returns: Where in the text a match ends, or `nil` when none does.
  private func advance(_ matched: inout Int, over text: RawSpan) -> Int? {
    let elements = text.elements
    var index = 0
    while index < elements.count {
      if matched == 0 {
        guard let first = text.firstIndex(of: bytes[0], from: index) else { return nil }
        index = first
      }
      while matched > 0, elements[index] != bytes[matched] { matched = fallbacks[matched - 1] }
      if elements[index] == bytes[matched] { matched += 1 }
      index += 1
      if matched == bytes.count { return index }
    }
    return nil
  }
}
