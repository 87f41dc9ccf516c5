/// An encoding of bytes as ASCII characters, as RFC 4648 defines it.
public enum BaseCoding: Sendable, CaseIterable {
  /// Four symbols for three bytes: letters of both cases, digits, plus and slash.
  case base64

  /// Eight symbols for five bytes: upper-case letters and the digits 2 to 7.
  case base32

  /// Eight symbols for five bytes: the digits and the letters A to V, in the order of their values.
  case base32hex
}

extension DataBuffer {
  /// Returns the bytes in a base coding, as one region without line breaks.
  ///
  /// The last group is padded with equal signs. An empty buffer gives an empty one.
  ///
  /// - Precondition: The number of symbols fits in `Int`.
  /// - Complexity: O(count); regions are not joined first.
  public func encoded(as coding: BaseCoding) -> DataBuffer {
    var encoder = BaseEncoder(coding)
    return encoder.encodeAll(self)
  }

  /// Returns the bytes that a base coding encodes, as one region.
  ///
  /// Line feeds, tabs and spaces are skipped. Every other byte that an encoder would not have
  /// written is an error, including lower-case letters of base 32 (<doc:Rules#S56>). An empty
  /// buffer gives an empty one.
  ///
  /// - Throws: The offset of the first wrong byte, and the reason.
  /// - Complexity: O(count); regions are not joined first.
  public func decoded(from coding: BaseCoding) throws(DataFormatError) -> DataBuffer {
    var decoder = BaseDecoder(coding)
    return try decoder.decodeAll(self)
  }
}
