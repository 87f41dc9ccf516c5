/// An encoding of Unicode scalars as bytes.
public enum TextEncoding: Sendable, CaseIterable {
  /// One to four bytes for a scalar.
  case utf8

  /// Two or four bytes for a scalar, the lower byte of each pair first.
  case utf16LittleEndian

  /// Two or four bytes for a scalar, the higher byte of each pair first.
  case utf16BigEndian

  /// The byte order mark as a scalar, and its value in the other byte order.
  static let mark: UInt32 = 0xfeff
  static let swappedMark: UInt32 = 0xfffe
}
