extension DataBuffer {
  /// Whether all bytes are valid UTF-8.
  ///
  /// - Complexity: O(count); characters may span regions, which are not joined.
  public var isValidUTF8: Bool {
    do throws(DataFormatError) {
      try validateUTF8()
      return true
    } catch {
      return false
    }
  }

  /// Validates that all bytes are UTF-8.
  ///
  /// - Throws: The offset of the first byte that belongs to no complete character
  ///   (<doc:Rules#S57>).
  /// - Complexity: O(count); characters may span regions, which are not joined.
  public func validateUTF8() throws(DataFormatError) {
    var decoder = ScalarDecoder(.utf8)
    for region in regions {
      let bytes = region.bytes
      let single = Span<UInt8>(_bytes: bytes)
      var index = 0
      while index < bytes.byteCount {
        if decoder.byteCount == 0, bytes.byteCount - index >= 8,
          decoder.ascii(in: bytes.word(at: index)) != nil
        {
          index += 8
          continue
        }
        let start = region.offset + index - decoder.byteCount
        if case .malformed = decoder.take(single[index]) {
          throw DataFormatError(.malformedUTF8, offset: start)
        }
        index += 1
      }
    }
    if decoder.byteCount > 0 {
      throw DataFormatError(.truncated, offset: count - decoder.byteCount)
    }
  }

  /// Returns text in another encoding.
  ///
  /// A byte order mark at the start is not part of the text; UTF-16 output starts with one
  /// (<doc:Rules#S60>). Malformed text is an error (<doc:Rules#S58>). An empty buffer gives an
  /// empty one.
  ///
  /// - Parameters:
  ///   - source: The encoding of these bytes. With `nil`, a UTF-16 byte order mark decides; without
  ///     a mark they are UTF-8.
  ///   - target: The encoding of the result.
  /// - Returns: The text, in regions for up to 64 KiB of these bytes each.
  /// - Throws: The offset of the first malformed character, and the reason.
  /// - Complexity: O(count)
  public func transcoded(
    from source: TextEncoding?,
    to target: TextEncoding
  ) throws(DataFormatError) -> DataBuffer {
    var transcoder = TextTranscoder(from: source, to: target)
    let text = try transcoder.transcode(self)
    try transcoder.finish()
    return text
  }
}
