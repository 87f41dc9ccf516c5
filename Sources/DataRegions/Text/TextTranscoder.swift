/// A converter of text that arrives in parts, from one encoding to another.
///
/// The results of all calls together equal the result of one call for all parts, and offsets of
/// errors count from the first part. After an error every call throws it again.
///
/// A byte order mark at the start of the text is not part of it; UTF-16 output starts with one
/// (<doc:Rules#S60>).
public struct TextTranscoder: Sendable {
  private let source: TextEncoding?
  private let target: TextEncoding

  /// The decoder of the scalars, once the encoding is known.
  private var decoder: ScalarDecoder?

  /// Whether no scalar is complete yet, so that the next one may be a mark.
  private var isAtStart = true

  /// The number of bytes in earlier parts.
  private var consumed = 0

  private var failure: DataFormatError?

  /// The most bytes of input for one region of output.
  static let stretch = 1 << 16

  /// Creates a transcoder without pending bytes.
  ///
  /// - Parameters:
  ///   - source: The encoding of the input. With `nil`, a UTF-16 byte order mark decides; without a
  ///     mark it is UTF-8.
  ///   - target: The encoding of the output.
  public init(from source: TextEncoding?, to target: TextEncoding) {
    self.source = source
    self.target = target
    decoder = source.map(ScalarDecoder.init)
  }

  /// Returns the characters that a part completes, in regions for up to 64 KiB of input each.
  ///
  /// Up to three bytes stay pending until the next part.
  ///
  /// - Throws: The error of an earlier call, or that of the first malformed character, whose offset
  ///   counts from the start of the first part (<doc:Rules#S58>).
  /// - Complexity: O(count)
  public mutating func transcode(_ part: DataBuffer) throws(DataFormatError) -> DataBuffer {
    if let failure { throw failure }
    requireUse(
      !consumed.addingReportingOverflow(part.count).overflow,
      "The number of bytes that a transcoder takes fits in Int.",
      "S173"
    )
    guard let first = part.first else { return part }
    var decoder = self.decoder ?? ScalarDecoder(Self.encoding(startingWith: first))
    var result = DataBuffer()
    var rest = part
    while !rest.isEmpty {
      let (stretch, behind) = rest.split(at: min(Self.stretch, rest.count))
      let capacity = capacity(for: stretch.count, from: decoder.encoding)
      let region = try DataBuffer(rawCapacity: capacity) { (output) throws(DataFormatError) in
        try transcode(stretch, by: &decoder, into: &output)
      }
      result.append(region)
      rest = behind
    }
    self.decoder = decoder
    return result
  }

  /// Validates that the text does not end inside a character, and resets the transcoder.
  ///
  /// - Throws: The error of an earlier call. If the last character is incomplete, an error with the
  ///   offset of its start.
  public mutating func finish() throws(DataFormatError) {
    if let failure { throw failure }
    if let decoder, decoder.byteCount > 0 {
      throw failed(.truncated, at: consumed - decoder.byteCount)
    }
    self = TextTranscoder(from: source, to: target)
  }

  /// Returns the capacity for the mark, a pending character, and the converted `count` bytes.
  private func capacity(for count: Int, from encoding: TextEncoding) -> Int {
    let grown =
      switch (encoding, target) {
      case (.utf8, .utf8): count
      case (.utf8, _): 2 * count
      case (_, .utf8): count / 2 * 3
      default: count
      }
    return grown + 8
  }

  /// Returns the encoding of a text: UTF-16 if it starts with a mark, else UTF-8.
  ///
  /// The first byte suffices: UTF-8 never contains these bytes, so a mark must follow.
  private static func encoding(startingWith byte: UInt8) -> TextEncoding {
    switch byte {
    case 0xff: .utf16LittleEndian
    case 0xfe: .utf16BigEndian
    default: .utf8
    }
  }

  private mutating func transcode(
    _ stretch: DataBuffer,
    by decoder: inout ScalarDecoder,
    into output: inout OutputRawSpan
  ) throws(DataFormatError) {
    if consumed == 0, target != .utf8 { output.append(scalar: TextEncoding.mark, as: target) }
    for region in stretch.regions {
      try transcode(region.bytes, by: &decoder, into: &output)
      consumed += region.count
    }
  }

  private mutating func transcode(
    _ bytes: RawSpan,
    by decoder: inout ScalarDecoder,
    into output: inout OutputRawSpan
  ) throws(DataFormatError) {
    let single = Span<UInt8>(_bytes: bytes)
    var index = 0
    while index < bytes.byteCount {
      if decoder.byteCount == 0, bytes.byteCount - index >= 8,
        let ascii = decoder.ascii(in: bytes.word(at: index))
      {
        output.append(ascii: ascii.word, count: ascii.count, as: target)
        isAtStart = false
        index += 8
        continue
      }
      let begun = decoder.byteCount
      switch decoder.take(single[index]) {
      case .incomplete: break
      case .malformed: throw malformed(decoder.encoding, at: consumed + index - begun)
      case .scalar(let scalar):
        let isMark = isAtStart ? try takeFirst(scalar, of: decoder.encoding) : false
        if !isMark { output.append(scalar: scalar, as: target) }
      }
      index += 1
    }
  }

  /// Consumes the first scalar and returns whether it is a byte order mark, which is left out.
  private mutating func takeFirst(
    _ scalar: UInt32,
    of encoding: TextEncoding
  ) throws(DataFormatError) -> Bool {
    let isMark = scalar == TextEncoding.mark
    if !isMark, encoding != .utf8 {
      if source == nil { throw malformed(encoding, at: 0) }
      if scalar == TextEncoding.swappedMark { throw failed(.wrongByteOrder, at: 0) }
    }
    isAtStart = false
    return isMark
  }

  /// Returns the error for malformed bytes.
  ///
  /// Text of unknown encoding that does not start with a complete mark counts as malformed UTF-8.
  private mutating func malformed(
    _ encoding: TextEncoding,
    at offset: Int
  ) -> DataFormatError {
    let isUTF8 = encoding == .utf8 || isAtStart && source == nil
    return failed(isUTF8 ? .malformedUTF8 : .unpairedSurrogate, at: offset)
  }

  private mutating func failed(_ reason: DataFormatError.Reason, at offset: Int) -> DataFormatError
  {
    let error = DataFormatError(reason, offset: offset)
    failure = error
    return error
  }
}
