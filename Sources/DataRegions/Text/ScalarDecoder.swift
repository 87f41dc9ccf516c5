/// A decoder that finds the scalars in a stream of bytes and accepts only those that Unicode
/// allows.
struct ScalarDecoder: Sendable {
  enum Step {
    /// More bytes are needed.
    case incomplete
    /// A scalar is complete.
    case scalar(UInt32)
    /// The bytes of this character are no scalar.
    case malformed
  }

  let encoding: TextEncoding

  /// The number of bytes of a character that is not complete.
  private(set) var byteCount = 0

  /// The bits so far; of UTF-16 the first surrogate of a pair.
  private var value: UInt32 = 0

  /// The number of bytes that UTF-8 still lacks, and the bounds of the next one.
  private var missing = 0
  private var lowest: UInt8 = 0x80
  private var highest: UInt8 = 0xbf

  /// The first byte of a pair in UTF-16.
  private var firstByte: UInt8 = 0

  init(_ encoding: TextEncoding) {
    self.encoding = encoding
  }

  /// Returns the scalars in eight bytes when all of them are below 128, the first one in the lowest
  /// bits.
  @inline(__always)
  func ascii(in word: UInt64) -> (word: UInt64, count: Int)? {
    switch encoding {
    case .utf8:
      return word & 0x8080_8080_8080_8080 == 0 ? (word, 8) : nil
    case .utf16LittleEndian:
      return word & 0xff80_ff80_ff80_ff80 == 0 ? (Self.gathered(word), 4) : nil
    case .utf16BigEndian:
      return word & 0x80ff_80ff_80ff_80ff == 0 ? (Self.gathered(word >> 8), 4) : nil
    }
  }

  /// Packs every other byte into four adjacent ones.
  @inline(__always)
  private static func gathered(_ word: UInt64) -> UInt64 {
    let pairs = (word | word >> 8) & 0x0000_ffff_0000_ffff
    return (pairs | pairs >> 16) & 0xffff_ffff
  }

  /// Consumes the next byte. After `malformed` the decoder is not used any more.
  @inline(__always)
  mutating func take(_ byte: UInt8) -> Step {
    switch encoding {
    case .utf8: byteCount == 0 ? takeFirst(byte) : takeNext(byte)
    case .utf16LittleEndian: takeUnit(byte) { UInt32($0) | UInt32($1) << 8 }
    case .utf16BigEndian: takeUnit(byte) { UInt32($0) << 8 | UInt32($1) }
    }
  }

  /// Consumes the first byte of a character in UTF-8, which bounds the second one.
  ///
  /// These bounds exclude overlong forms, surrogates and values beyond Unicode.
  private mutating func takeFirst(_ byte: UInt8) -> Step {
    (lowest, highest) = (0x80, 0xbf)
    switch byte {
    case 0x00...0x7f: return .scalar(UInt32(byte))
    case 0xc2...0xdf: (value, missing) = (UInt32(byte & 0x1f), 1)
    case 0xe0...0xef: (value, missing) = (UInt32(byte & 0x0f), 2)
    case 0xf0...0xf4: (value, missing) = (UInt32(byte & 0x07), 3)
    default: return .malformed
    }
    switch byte {
    case 0xe0: lowest = 0xa0
    case 0xed: highest = 0x9f
    case 0xf0: lowest = 0x90
    case 0xf4: highest = 0x8f
    default: break
    }
    byteCount = 1
    return .incomplete
  }

  private mutating func takeNext(_ byte: UInt8) -> Step {
    if byte < lowest || byte > highest { return .malformed }
    (lowest, highest) = (0x80, 0xbf)
    value = value << 6 | UInt32(byte & 0x3f)
    missing -= 1
    byteCount += 1
    if missing > 0 { return .incomplete }
    byteCount = 0
    return .scalar(value)
  }

  @inline(__always)
  private mutating func takeUnit(_ byte: UInt8, _ unit: (UInt8, UInt8) -> UInt32) -> Step {
    byteCount += 1
    if byteCount % 2 == 1 {
      firstByte = byte
      return .incomplete
    }
    return takeUnit(unit(firstByte, byte))
  }

  private mutating func takeUnit(_ unit: UInt32) -> Step {
    let isSecond = byteCount == 4
    switch unit {
    case 0xd800...0xdbff:
      if isSecond { return .malformed }
      value = unit
      return .incomplete
    case 0xdc00...0xdfff:
      if !isSecond { return .malformed }
      byteCount = 0
      return .scalar(0x1_0000 + (value & 0x3ff) << 10 + unit & 0x3ff)
    default:
      if isSecond { return .malformed }
      byteCount = 0
      return .scalar(unit)
    }
  }
}
