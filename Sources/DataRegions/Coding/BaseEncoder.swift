/// An encoder of a base coding for bytes that arrive in parts.
///
/// The results of all calls together equal the result of one call for all parts. A copy continues
/// from the state of the original.
public struct BaseEncoder: Sendable {
  private let alphabet: BaseAlphabet

  /// The bytes of a block that is not full, the first one in the highest bits.
  private var block: UInt64 = 0

  /// The number of bytes in `block`, less than the alphabet's bits.
  private var filled = 0

  /// Creates an encoder without pending bytes.
  public init(_ coding: BaseCoding) {
    alphabet = .of(coding)
  }

  /// Returns the symbols of all blocks that a part completes.
  ///
  /// Up to five bytes stay pending until the next part.
  ///
  /// - Precondition: The number of symbols fits in `Int`.
  /// - Complexity: O(count)
  public mutating func encode(_ part: DataBuffer) -> DataBuffer {
    DataBuffer(rawCapacity: capacity(for: part.count)) { output in
      encode(part, into: &output)
    }
  }

  /// Returns the last symbols, padded with equal signs, and resets the encoder.
  public mutating func finish() -> DataBuffer {
    DataBuffer(rawCapacity: 8) { output in finish(into: &output) }
  }

  mutating func encodeAll(_ whole: DataBuffer) -> DataBuffer {
    if whole.isEmpty { return whole }
    return DataBuffer(rawCapacity: capacity(for: whole.count)) { output in
      encode(whole, into: &output)
      finish(into: &output)
    }
  }

  /// Returns the capacity for the symbols of `count` bytes and the pending ones.
  private func capacity(for count: Int) -> Int {
    let (symbols, overflow) = (count / alphabet.bits + 2).multipliedReportingOverflow(by: 8)
    requireUse(!overflow, "The number of symbols of a coding fits in Int.", "S173")
    return symbols
  }

  private mutating func encode(_ part: DataBuffer, into output: inout OutputRawSpan) {
    for region in part.regions { encode(region.bytes, into: &output) }
  }

  private mutating func encode(_ bytes: RawSpan, into output: inout OutputRawSpan) {
    let single = Span<UInt8>(_bytes: bytes)
    var index = 0
    while index < bytes.byteCount {
      if filled == 0 { encodeBlocks(of: bytes, from: &index, into: &output) }
      if index == bytes.byteCount { return }
      take(single[index], into: &output)
      index += 1
    }
  }

  /// Encodes blocks as long as a full word can be loaded, which is more than a block.
  private func encodeBlocks(
    of bytes: RawSpan,
    from index: inout Int,
    into output: inout OutputRawSpan
  ) {
    let alphabet = alphabet
    let pairs = alphabet.pairs.span
    let unused = UInt64(64 - 8 * alphabet.bits)
    while bytes.byteCount - index >= 8 {
      let block = bytes.word(at: index).byteSwapped >> unused
      output.append(alphabet.symbols(of: block, from: pairs), byteCount: 8)
      index += alphabet.bits
    }
  }

  private mutating func take(_ byte: UInt8, into output: inout OutputRawSpan) {
    block = block << 8 | UInt64(byte)
    filled += 1
    if filled < alphabet.bits { return }
    output.append(alphabet.symbols(of: block, from: alphabet.pairs.span), byteCount: 8)
    (block, filled) = (0, 0)
  }

  private mutating func finish(into output: inout OutputRawSpan) {
    if filled == 0 { return }
    let used = (8 * filled + alphabet.bits - 1) / alphabet.bits
    let groups = (used + alphabet.groupSize - 1) / alphabet.groupSize
    let whole = block << UInt64(8 * (alphabet.bits - filled))
    let word = alphabet.symbols(of: whole, from: alphabet.pairs.span)
    output.append(word, byteCount: used)
    for _ in used..<groups * alphabet.groupSize { output.append(BaseAlphabet.paddingSymbol) }
    (block, filled) = (0, 0)
  }
}
