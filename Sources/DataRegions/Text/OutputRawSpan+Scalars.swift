extension OutputRawSpan {
  /// Appends a scalar, which takes up to four bytes.
  @inline(__always)
  mutating func append(scalar: UInt32, as encoding: TextEncoding) {
    switch encoding {
    case .utf8:
      appendUTF8(scalar)
    case .utf16LittleEndian:
      appendUTF16(scalar) { $0 }
    case .utf16BigEndian:
      appendUTF16(scalar) { $0 >> 8 & 0x00ff_00ff | $0 << 8 & 0xff00_ff00 }
    }
  }

  /// Appends four or eight scalars below 128, the first one in the lowest bits.
  @inline(__always)
  mutating func append(ascii word: UInt64, count: Int, as encoding: TextEncoding) {
    if encoding == .utf8 { return append(word, byteCount: count) }
    let shift: UInt64 = encoding == .utf16LittleEndian ? 0 : 8
    append(Self.spread(word & 0xffff_ffff) << shift, byteCount: 8)
    if count == 8 { append(Self.spread(word >> 32) << shift, byteCount: 8) }
  }

  /// Spreads four bytes so that a zero byte follows each.
  @inline(__always)
  private static func spread(_ four: UInt64) -> UInt64 {
    let halves = (four | four << 16) & 0x0000_ffff_0000_ffff
    return (halves | halves << 8) & 0x00ff_00ff_00ff_00ff
  }

  private mutating func appendUTF8(_ scalar: UInt32) {
    let tail = UInt64(scalar & 0x3f | 0x80)
    let third = UInt64(scalar >> 6 & 0x3f | 0x80)
    let second = UInt64(scalar >> 12 & 0x3f | 0x80)
    switch scalar {
    case ..<0x80:
      append(UInt8(scalar))
    case ..<0x800:
      append(UInt64(scalar >> 6 | 0xc0) | tail << 8, byteCount: 2)
    case ..<0x1_0000:
      append(UInt64(scalar >> 12 | 0xe0) | third << 8 | tail << 16, byteCount: 3)
    default:
      let first = UInt64(scalar >> 18 | 0xf0)
      append(first | second << 8 | third << 16 | tail << 24, byteCount: 4)
    }
  }

  /// Appends one unit or a pair of surrogates, the first one in the lower half.
  @inline(__always)
  private mutating func appendUTF16(_ scalar: UInt32, ordered: (UInt32) -> UInt32) {
    if scalar < 0x1_0000 {
      append(UInt64(ordered(scalar)), byteCount: 2)
    } else {
      let rest = scalar - 0x1_0000
      let pair = rest >> 10 | 0xd800 | (rest & 0x3ff | 0xdc00) << 16
      append(UInt64(ordered(pair)), byteCount: 4)
    }
  }
}
