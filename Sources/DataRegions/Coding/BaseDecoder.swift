/// A decoder of a base coding that arrives in parts.
///
/// The results of all calls together equal the result of one call for all parts, and offsets of
/// errors count from the first part. After an error every call throws it again.
public struct BaseDecoder: Sendable {
  private let coding: BaseCoding
  private let alphabet: BaseAlphabet

  /// The symbols of a block that is not full, the first one in the highest bits.
  private var block: UInt64 = 0

  /// The number of symbols in `block`, less than eight.
  private var filled = 0

  /// The number of equal signs missing from the last group, once it had one.
  private var missingPadding: Int?

  /// The offset of the last symbol of `block`.
  private var lastSymbol = 0

  /// The number of bytes in earlier parts.
  private var consumed = 0

  private var failure: DataFormatError?

  /// Creates a decoder without pending symbols.
  public init(_ coding: BaseCoding) {
    self.coding = coding
    alphabet = .of(coding)
  }

  /// Decodes the next part of the text and returns the bytes of all complete groups of eight
  /// characters.
  ///
  /// The characters after the last complete group wait for the next part, or for ``finish()``.
  ///
  /// - Throws: The error of an earlier call, or that of the first invalid byte, whose offset counts
  ///   from the start of the first part (<doc:Rules#S56>).
  /// - Complexity: O(count)
  public mutating func decode(_ part: DataBuffer) throws(DataFormatError) -> DataBuffer {
    if let failure { throw failure }
    requireUse(
      !consumed.addingReportingOverflow(part.count).overflow,
      "The number of bytes that a decoder takes fits in Int.",
      "S173"
    )
    return try DataBuffer(rawCapacity: capacity(for: part.count)) {
      (output) throws(DataFormatError) in
      try decode(part, into: &output)
    }
  }

  /// Returns the last bytes and resets the decoder.
  ///
  /// - Throws: The error of an earlier call. If the last group is incomplete, an error whose offset
  ///   is the number of bytes of all parts.
  public mutating func finish() throws(DataFormatError) -> DataBuffer {
    if let failure { throw failure }
    return try DataBuffer(rawCapacity: 8) { (output) throws(DataFormatError) in
      try finish(into: &output)
    }
  }

  mutating func decodeAll(_ whole: DataBuffer) throws(DataFormatError) -> DataBuffer {
    if whole.isEmpty { return whole }
    return try DataBuffer(rawCapacity: capacity(for: whole.count)) {
      (output) throws(DataFormatError) in
      try decode(whole, into: &output)
      try finish(into: &output)
    }
  }

  /// Returns the capacity for the bytes of `count` symbols, the pending ones, and a last full word.
  private func capacity(for count: Int) -> Int {
    (count / 8 + 2) * alphabet.bits + 8
  }

  private mutating func decode(
    _ part: DataBuffer,
    into output: inout OutputRawSpan
  ) throws(DataFormatError) {
    for region in part.regions {
      try decode(region.bytes, into: &output)
      consumed += region.count
    }
  }

  private mutating func decode(
    _ bytes: RawSpan,
    into output: inout OutputRawSpan
  ) throws(DataFormatError) {
    let single = Span<UInt8>(_bytes: bytes)
    var index = 0
    while index < bytes.byteCount {
      if filled == 0, missingPadding == nil {
        decodeBlocks(of: bytes, from: &index, into: &output)
      }
      if index == bytes.byteCount { return }
      try take(single[index], at: consumed + index, into: &output)
      index += 1
    }
  }

  /// Decodes blocks up to the first one with a byte that is no symbol.
  private func decodeBlocks(
    of bytes: RawSpan,
    from index: inout Int,
    into output: inout OutputRawSpan
  ) {
    let alphabet = alphabet
    let values = alphabet.values.span
    let unused = UInt64(64 - 8 * alphabet.bits)
    while bytes.byteCount - index >= 8 {
      guard let block = alphabet.block(of: bytes.word(at: index), from: values) else { return }
      output.append((block << unused).byteSwapped, byteCount: alphabet.bits)
      index += 8
    }
  }

  private mutating func take(
    _ byte: UInt8,
    at offset: Int,
    into output: inout OutputRawSpan
  ) throws(DataFormatError) {
    let value = alphabet.values[Int(byte)]
    switch value {
    case BaseAlphabet.blank:
      break
    case BaseAlphabet.unknown:
      throw failed(.unknownSymbol, at: offset)
    case BaseAlphabet.padding:
      try takePadding(at: offset, into: &output)
    default:
      if missingPadding != nil { throw failed(.symbolBehindPadding, at: offset) }
      block = block << UInt64(alphabet.bits) | UInt64(value)
      filled += 1
      lastSymbol = offset
      if filled == 8 { empty(into: &output) }
    }
  }

  private mutating func takePadding(
    at offset: Int,
    into output: inout OutputRawSpan
  ) throws(DataFormatError) {
    if let missing = missingPadding {
      if missing == 0 { throw failed(.misplacedPadding, at: offset) }
      missingPadding = missing - 1
      return
    }
    let used = filled % alphabet.groupSize
    let spare = filled * alphabet.bits % 8
    // The encoder would have left out a complete symbol of spare bits.
    if used == 0 || spare >= alphabet.bits { throw failed(.misplacedPadding, at: offset) }
    if block & (1 << UInt64(spare) - 1) != 0 { throw failed(.spareBits, at: lastSymbol) }
    empty(into: &output)
    missingPadding = alphabet.groupSize - used - 1
  }

  /// Writes the complete bytes of `block`.
  private mutating func empty(into output: inout OutputRawSpan) {
    let (count, spare) = (filled * alphabet.bits).quotientAndRemainder(dividingBy: 8)
    let bytes = (block >> UInt64(spare)) << UInt64(64 - 8 * count)
    output.append(bytes.byteSwapped, byteCount: count)
    (block, filled) = (0, 0)
  }

  private mutating func finish(into output: inout OutputRawSpan) throws(DataFormatError) {
    let isWhole = filled % alphabet.groupSize == 0 && missingPadding ?? 0 == 0
    if !isWhole { throw failed(.truncated, at: consumed) }
    if filled > 0 { empty(into: &output) }
    self = BaseDecoder(coding)
  }

  private mutating func failed(_ reason: DataFormatError.Reason, at offset: Int) -> DataFormatError
  {
    let error = DataFormatError(reason, offset: offset)
    failure = error
    return error
  }
}
