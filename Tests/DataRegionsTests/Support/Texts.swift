import DataRegions
import IOChannelsTestSupport

extension SeededGenerator {
  /// Text with scalars of all lengths, and runs of ASCII.
  mutating func text(characters: Int) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<number(in: 0..<characters + 1) {
      switch number(in: 0..<8) {
      case 0: text.append(contentsOf: "plain text".unicodeScalars)
      case 1: text.append(scalar(in: 0..<0x80))
      case 2: text.append(scalar(in: 0x80..<0x800))
      case 3, 4: text.append(scalar(in: 0x800..<0xd800))
      case 5: text.append(scalar(in: 0xe000..<0x1_0000))
      default: text.append(scalar(in: 0x1_0000..<0x11_0000))
      }
    }
    return String(text)
  }

  private mutating func scalar(in range: Range<Int>) -> Unicode.Scalar {
    Unicode.Scalar(UInt32(number(in: range))) ?? "?"
  }

  /// The bytes with some changed, added or taken away, or none.
  mutating func spoiled(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<number(in: 0..<3) where !bytes.isEmpty {
      let place = number(in: 0..<bytes.count)
      switch number(in: 0..<3) {
      case 0: bytes[place] = UInt8(number(in: 0..<256))
      case 1: bytes.insert(UInt8(number(in: 128..<256)), at: place)
      default: bytes.remove(at: place)
      }
    }
    return bytes
  }
}

extension String {
  /// The string as the standard library writes it, without a mark.
  func bytes(as encoding: TextEncoding) -> [UInt8] {
    switch encoding {
    case .utf8: Array(utf8)
    case .utf16LittleEndian: utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    case .utf16BigEndian: utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    }
  }
}

extension TextEncoding {
  /// The byte order mark.
  var mark: [UInt8] {
    switch self {
    case .utf8: [0xef, 0xbb, 0xbf]
    case .utf16LittleEndian: [0xff, 0xfe]
    case .utf16BigEndian: [0xfe, 0xff]
    }
  }

  /// What is put in front of text in this encoding.
  var prefix: [UInt8] { self == .utf8 ? [] : mark }
}
