import DataRegions
import IOChannelsTestSupport
import Testing

@Suite("Texts that Dispatch accepts and a transcoder rejects (S58)")
struct TextStrictnessTests {
  private func error(
    _ bytes: [UInt8],
    _ source: TextEncoding = .utf8,
    _ target: TextEncoding = .utf16LittleEndian
  ) -> DataFormatError? {
    let errors = everyDivision(of: bytes).map { divided in
      formatError { _ = try divided.transcoded(from: source, to: target) }
    }
    #expect(Set(errors).count == 1)
    return errors[0]
  }

  @Test("Overlong forms are rejected")
  func overlongFormsAreRefused() {
    for overlong in [[0xc0, 0x80], [0xc1, 0xbf], [0xe0, 0x9f, 0xbf], [0xf0, 0x8f, 0xbf, 0xbf]] {
      let bytes = [0x61] + overlong.map { UInt8($0) }
      #expect(error(bytes) == DataFormatError(.malformedUTF8, offset: 1))
    }
  }

  @Test("Bytes that do not continue a scalar are rejected")
  func bytesThatDoNotContinueAreRefused() {
    #expect(error([0x61, 0xc3, 0x28]) == DataFormatError(.malformedUTF8, offset: 1))
    #expect(error([0xe6, 0xbc, 0xc3, 0xa9]) == DataFormatError(.malformedUTF8, offset: 0))
    #expect(error([0xf0, 0x9f, 0x99, 0xff]) == DataFormatError(.malformedUTF8, offset: 0))
  }

  @Test("Surrogates in UTF-8 are rejected")
  func surrogatesInUTF8AreRefused() {
    #expect(error([0xed, 0xa0, 0x80]) == DataFormatError(.malformedUTF8, offset: 0))
    #expect(error([0xed, 0xbf, 0xbf]) == DataFormatError(.malformedUTF8, offset: 0))
  }

  @Test("Scalars beyond U+10FFFF are rejected")
  func scalarsBeyondTheLastAreRefused() {
    #expect(error([0xf4, 0x90, 0x80, 0x80]) == DataFormatError(.malformedUTF8, offset: 0))
    #expect(error([0xf5, 0x80, 0x80, 0x80]) == DataFormatError(.malformedUTF8, offset: 0))
  }

  @Test("Truncated texts are rejected")
  func truncatedTextsAreRefused() {
    #expect(error([0x61, 0xc3]) == DataFormatError(.truncated, offset: 1))
    #expect(error([0xf0, 0x9f, 0x99]) == DataFormatError(.truncated, offset: 0))
    let half: [UInt8] = [0x61, 0, 0x62]
    #expect(error(half, .utf16LittleEndian, .utf8) == DataFormatError(.truncated, offset: 2))
    let first: [UInt8] = [0x61, 0, 0x3d, 0xd8]
    #expect(error(first, .utf16LittleEndian, .utf8) == DataFormatError(.truncated, offset: 2))
    let odd: [UInt8] = [0xd8, 0x3d, 0xde]
    #expect(error(odd, .utf16BigEndian, .utf8) == DataFormatError(.truncated, offset: 0))
  }

  @Test("The last surrogate, and every other one, is refused without its half")
  func surrogatesAlone() {
    for surrogate in 0xd800...0xdfff as ClosedRange<UInt16> {
      let bytes = [0x61, 0, UInt8(surrogate & 0xff), UInt8(surrogate >> 8), 0x62, 0]
      let found = formatError {
        _ = try DataBuffer(bytes).transcoded(from: .utf16LittleEndian, to: .utf8)
      }
      #expect(found == DataFormatError(.unpairedSurrogate, offset: 2))
    }
    let reversed: [UInt8] = [0xde, 0x42, 0xd8, 0x3d]
    #expect(
      error(reversed, .utf16BigEndian, .utf8) == DataFormatError(.unpairedSurrogate, offset: 0)
    )
    let twice: [UInt8] = [0xd8, 0x3d, 0xd8, 0x3d]
    #expect(
      error(twice, .utf16BigEndian, .utf8) == DataFormatError(.unpairedSurrogate, offset: 0)
    )
  }

  @Test("Texts that the standard library rejects are rejected")
  func whatTheStandardLibraryRefusesIsRefused() {
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 2_000, full: 100_000) {
      let bytes = random.spoiled("x".bytes(as: .utf16BigEndian) + random.utf16())
      let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      if units.first == 0xfffe { continue }
      let isWhole = bytes.count % 2 == 0 && String(validating: units, as: UTF16.self) != nil
      let divided = random.divided(bytes, longest: 9)
      let found = formatError { _ = try divided.transcoded(from: .utf16BigEndian, to: .utf8) }
      #expect((found == nil) == isWhole, "seed \(random.seed)")
    }
  }

  @Test("An error is thrown again, with its offset from the first part (S62)")
  func errorsStay() {
    var transcoder = TextTranscoder(from: .utf8, to: .utf8)
    let parts: [[UInt8]] = [[0x61, 0x62], [0x63, 0xe6], [0xbc], [0x61]]
    let errors = parts.map { part in
      formatError { _ = try transcoder.transcode(DataBuffer(part)) }
    }
    let expected = DataFormatError(.malformedUTF8, offset: 3)
    #expect(errors == [nil, nil, nil, expected])
    #expect(formatError { _ = try transcoder.transcode(.empty) } == expected)
    #expect(formatError { try transcoder.finish() } == expected)
  }

  @Test("A number of bytes that does not fit in Int stops the program")
  func moreBytesThanFitInInt() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var transcoder = TextTranscoder(from: .utf8, to: .utf8)
      _ = try transcoder.transcode(DataBuffer("a".utf8))
      _ = try transcoder.transcode(.unreadable(.max))
    }
    expectMessage("The number of bytes that a transcoder takes fits in Int.", from: result)
  }

  @Test("A missing end is thrown again (S62)")
  func missingEndsStay() {
    var transcoder = TextTranscoder(from: .utf8, to: .utf8)
    #expect(formatError { _ = try transcoder.transcode(DataBuffer([0x61, 0xc3])) } == nil)
    for _ in 0..<2 {
      #expect(formatError { try transcoder.finish() } == DataFormatError(.truncated, offset: 1))
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func utf16() -> [UInt8] {
    text(characters: 20).bytes(as: .utf16BigEndian)
  }
}
