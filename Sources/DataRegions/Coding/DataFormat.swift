/// A format of bytes, named as the transforms of `dispatch_data` are.
public enum DataFormat: Sendable, CaseIterable {
  /// Bytes without a coding.
  case none
  /// Base 64.
  case base64
  /// Base 32.
  case base32
  /// Base 32 with the extended hexadecimal alphabet, in which symbols sort as their values.
  case base32hex
  /// Text in UTF-8.
  case utf8
  /// Text in UTF-16, the lower byte of each pair first.
  case utf16LittleEndian
  /// Text in UTF-16, the higher byte of each pair first.
  case utf16BigEndian
  /// Text in UTF-16 with a byte order mark, or in UTF-8; for input only.
  case anyUTF

  private var coding: BaseCoding? {
    switch self {
    case .base64: .base64
    case .base32: .base32
    case .base32hex: .base32hex
    case .none, .utf8, .utf16LittleEndian, .utf16BigEndian, .anyUTF: nil
    }
  }

  private var textEncoding: TextEncoding? {
    switch self {
    case .utf8: .utf8
    case .utf16LittleEndian: .utf16LittleEndian
    case .utf16BigEndian: .utf16BigEndian
    case .none, .base64, .base32, .base32hex, .anyUTF: nil
    }
  }

  /// Whether the bytes are text of any encoding.
  private var isText: Bool { self == .anyUTF || textEncoding != nil }

  fileprivate func transform(
    _ buffer: DataBuffer,
    to target: DataFormat
  ) throws(DataFormatError) -> DataBuffer {
    if isText, let encoding = target.textEncoding {
      return try buffer.transcoded(from: textEncoding, to: encoding)
    }
    if isText || target.isText { throw DataFormatError(.unrelatedFormats, offset: 0) }
    var bytes = buffer
    if let coding { bytes = try bytes.decoded(from: coding) }
    if let coding = target.coding { bytes = bytes.encoded(as: coding) }
    return bytes
  }
}

extension DataBuffer {
  /// Returns the content of the buffer, converted from one format to another.
  ///
  /// Bytes and base codings convert into each other, and so do text encodings. Other pairs are an
  /// error for all bytes; otherwise an empty buffer is returned unchanged (<doc:Rules#S61>).
  ///
  /// - Throws: The offset of the first byte that is wrong in its format, and the reason.
  /// - Complexity: O(count)
  public func transformed(
    from source: DataFormat,
    to target: DataFormat
  ) throws(DataFormatError) -> DataBuffer {
    try source.transform(self, to: target)
  }
}
