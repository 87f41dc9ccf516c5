import DataRegions
import IOChannelsTestSupport
import Testing

@Suite("Transcoding")
struct TranscodingTests {
  static let pairs = TextEncoding.allCases.flatMap { source in
    TextEncoding.allCases.map { (source, $0) }
  }

  private func transcoded(
    _ bytes: [UInt8],
    _ source: TextEncoding?,
    _ target: TextEncoding
  ) throws -> [UInt8] {
    try [UInt8](DataBuffer(bytes).transcoded(from: source, to: target))
  }

  @Test("Regions do not show (S62)", arguments: pairs)
  func divisions(_ source: TextEncoding, _ target: TextEncoding) throws {
    for text in ["aé漢🙂", "🙂🙂z", "\u{fffe}a", "\0\u{7ff}\u{800}", "\u{ffff}\u{10ffff}"] {
      let start = source == .utf8 ? [] : source.mark
      let expected = target.prefix + text.bytes(as: target)
      for divided in everyDivision(of: start + text.bytes(as: source)) {
        #expect(try [UInt8](divided.transcoded(from: source, to: target)) == expected)
      }
    }
  }

  @Test("Parts do not show (S62)", arguments: pairs)
  func parts(_ source: TextEncoding, _ target: TextEncoding) throws {
    var random = SeededGenerator()
    var transcoder = TextTranscoder(from: source, to: target)
    for _ in 0..<Tier.count(quick: 200, full: 10_000) {
      let text = "x" + random.text(characters: 40)
      var result = DataBuffer()
      for part in random.parts(of: text.bytes(as: source), longest: 20) {
        result += try transcoder.transcode(random.divided(part, longest: 7))
      }
      try transcoder.finish()
      #expect(
        [UInt8](result) == target.prefix + text.bytes(as: target),
        "seed \(random.seed)"
      )
    }
  }

  @Test("Text has no longest length (S58)", arguments: pairs)
  func longTexts(_ source: TextEncoding, _ target: TextEncoding) throws {
    for text in ["abcdefg", "漢字é", "🙂z"] {
      let long = String(repeating: text, count: 30_000)
      let result = try transcoded(long.bytes(as: source), source, target)
      #expect(result == target.prefix + long.bytes(as: target))
    }
  }

  @Test("A long text has regions of bounded length")
  func longTextsAreInRegionsOfAStretchEach() throws {
    let long = DataBuffer(repeatElement(UInt8(ascii: "a"), count: 150_000))
    #expect(try long.transcoded(from: .utf8, to: .utf8).sizes == [65_536, 65_536, 18_928])
  }

  @Test("A mark at the start is left out, and only that one (S60)", arguments: pairs)
  func marks(_ source: TextEncoding, _ target: TextEncoding) throws {
    let mark = source.mark
    let text = "a\u{feff}b"
    let marked = try transcoded(mark + text.bytes(as: source), source, target)
    #expect(marked == target.prefix + text.bytes(as: target))
    #expect(try transcoded(mark, source, target) == target.prefix)
    let twice = try transcoded(mark + mark, source, target)
    #expect(twice == target.prefix + target.mark)
    #expect(try transcoded([], source, target) == [])
    let late = "abcdefgh\u{feff}"
    let result = try transcoded(late.bytes(as: source), source, target)
    #expect(result == target.prefix + late.bytes(as: target))
  }

  @Test("The mark of the other byte order is an error (S60)")
  func wrongMarks() {
    let orders: [(TextEncoding, [UInt8])] = [
      (.utf16LittleEndian, [0xfe, 0xff, 0, 0x61]), (.utf16BigEndian, [0xff, 0xfe, 0x61, 0]),
    ]
    for (source, bytes) in orders {
      for divided in everyDivision(of: bytes) {
        let error = formatError { _ = try divided.transcoded(from: source, to: .utf8) }
        #expect(error == DataFormatError(.wrongByteOrder, offset: 0))
      }
    }
  }

  @Test("A mark decides on an open encoding (S60)", arguments: TextEncoding.allCases)
  func openEncodings(_ source: TextEncoding) throws {
    for divided in everyDivision(of: source.mark + "aé🙂".bytes(as: source)) {
      #expect(try [UInt8](divided.transcoded(from: nil, to: .utf8)) == Array("aé🙂".utf8))
    }
    #expect(try transcoded(Array("é".utf8), nil, .utf8) == Array("é".utf8))
    #expect(try transcoded([0x61], nil, .utf8) == [0x61])
  }

  @Test("Without a whole mark an open encoding is UTF-8, so the first byte is wrong (S60)")
  func halfMarks() {
    for bytes in [[0xff, 0x61, 0, 0], [0xfe, 0, 0, 0], [0xff, 0xd8, 0xff, 0xdc]] as [[UInt8]] {
      for divided in everyDivision(of: bytes) {
        let error = formatError { _ = try divided.transcoded(from: nil, to: .utf8) }
        #expect(error == DataFormatError(.malformedUTF8, offset: 0))
      }
    }
  }

  @Test("A transcoder starts over after its end")
  func aTranscoderStartsOverAfterItsEnd() throws {
    var transcoder = TextTranscoder(from: nil, to: .utf16LittleEndian)
    for _ in 0..<2 {
      #expect(try [UInt8](transcoder.transcode(buffer([0xfe, 0xff, 0]))) == [0xff, 0xfe])
      #expect(try transcoder.transcode(.empty).isEmpty)
      #expect(try [UInt8](transcoder.transcode(buffer([0x61]))) == [0x61, 0])
      try transcoder.finish()
    }
    #expect(try [UInt8](transcoder.transcode(buffer([0x62]))) == [0xff, 0xfe, 0x62, 0])
  }
}
