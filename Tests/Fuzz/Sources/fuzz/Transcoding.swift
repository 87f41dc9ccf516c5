import DataRegions

extension [UInt8] {
  /// The bytes as text in another encoding, by the standard library; `nil` when they are no text.
  func transcoded(from source: TextEncoding?, to target: TextEncoding) -> [UInt8]? {
    if isEmpty { return [] }
    let source = source ?? guessedEncoding
    guard let text = text(in: source) else { return nil }
    var scalars = Array<Unicode.Scalar>(text.unicodeScalars)
    if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    if target != .utf8 { scalars.insert("\u{FEFF}", at: 0) }
    let marked = String(String.UnicodeScalarView(scalars))
    switch target {
    case .utf8: return Array(marked.utf8)
    case .utf16LittleEndian: return marked.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    case .utf16BigEndian: return marked.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    }
  }

  private var guessedEncoding: TextEncoding {
    switch Array(prefix(2)) {
    case [0xff, 0xfe]: .utf16LittleEndian
    case [0xfe, 0xff]: .utf16BigEndian
    default: .utf8
    }
  }

  private func text(in encoding: TextEncoding) -> String? {
    if encoding == .utf8 { return String(validating: self, as: UTF8.self) }
    guard count.isMultiple(of: 2) else { return nil }
    let isLittle = encoding == .utf16LittleEndian
    let units = stride(from: 0, to: count, by: 2).map {
      UInt16(self[isLittle ? $0 + 1 : $0]) << 8 | UInt16(self[isLittle ? $0 : $0 + 1])
    }
    // The mark of the other byte order is not text.
    return units.first == 0xfffe ? nil : String(validating: units, as: UTF16.self)
  }
}
