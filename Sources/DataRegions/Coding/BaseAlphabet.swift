/// The symbols of a base coding in both directions.
///
/// A block is as many bytes as a symbol has bits, encoded as eight symbols. Encoder and decoder
/// work on blocks for every alphabet. A group is the unit that equal signs pad.
struct BaseAlphabet: Sendable {
  /// The bits of a symbol, which is also the number of bytes in a block.
  let bits: Int

  /// The number of symbols in a group.
  let groupSize: Int

  /// Two symbols, the first one in the lower byte, for the bits of both.
  let pairs: ContiguousArray<UInt16>

  /// The bits of a symbol, or one of the marks below, for each byte.
  let values: ContiguousArray<UInt8>

  /// The lowest value that is no symbol's.
  static let firstMark: UInt8 = 0x80
  static let unknown: UInt8 = 0x80
  static let blank: UInt8 = 0x81
  static let padding: UInt8 = 0x82

  static let paddingSymbol = UInt8(ascii: "=")

  private init(bits: Int, groupSize: Int, symbols: StaticString) {
    self.bits = bits
    self.groupSize = groupSize
    let symbols = ContiguousArray(symbols.description.utf8)
    pairs = ContiguousArray(
      symbols.flatMap { first in symbols.map { UInt16(first) | UInt16($0) << 8 } }
    )
    var values = ContiguousArray(repeating: Self.unknown, count: 256)
    for (value, symbol) in symbols.enumerated() { values[Int(symbol)] = UInt8(value) }
    for blank in "\n\t ".utf8 { values[Int(blank)] = Self.blank }
    values[Int(Self.paddingSymbol)] = Self.padding
    self.values = values
  }

  static func of(_ coding: BaseCoding) -> BaseAlphabet {
    switch coding {
    case .base64: base64
    case .base32: base32
    case .base32hex: base32hex
    }
  }

  private static let base64 = BaseAlphabet(
    bits: 6,
    groupSize: 4,
    symbols: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  )
  private static let base32 = BaseAlphabet(
    bits: 5,
    groupSize: 8,
    symbols: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
  )
  private static let base32hex = BaseAlphabet(
    bits: 5,
    groupSize: 8,
    symbols: "0123456789ABCDEFGHIJKLMNOPQRSTUV"
  )
}

extension BaseAlphabet {
  /// Returns the eight symbols of a full block, the first one in the lowest bits.
  @inline(__always)
  func symbols(of block: UInt64, from pairs: Span<UInt16>) -> UInt64 {
    let width = UInt64(2 * bits)
    let mask: UInt64 = 1 << width - 1
    let first = UInt64(pairs[Int(block >> (3 * width) & mask)])
    let second = UInt64(pairs[Int(block >> (2 * width) & mask)])
    let third = UInt64(pairs[Int(block >> width & mask)])
    let fourth = UInt64(pairs[Int(block & mask)])
    return first | second << 16 | third << 32 | fourth << 48
  }

  /// Returns the bits of eight symbols, or `nil` when one of the bytes is no symbol.
  @inline(__always)
  func block(of symbols: UInt64, from values: Span<UInt8>) -> UInt64? {
    var all: UInt8 = 0
    func value(_ index: UInt64) -> UInt64 {
      let value = values[Int(symbols >> (8 * index) & 0xff)]
      all |= value
      return UInt64(value)
    }
    let width = UInt64(bits)
    // Joined in pairs and not one by one, so that shifts need not wait for each other.
    let first = value(0) << width | value(1)
    let second = value(2) << width | value(3)
    let third = value(4) << width | value(5)
    let fourth = value(6) << width | value(7)
    let block = (first << (2 * width) | second) << (4 * width) | third << (2 * width) | fourth
    return all < Self.firstMark ? block : nil
  }
}
