import DataRegions
import IOChannelsTestSupport
import Testing

@Suite("Encodings that Dispatch accepts and a decoder rejects (S56)")
struct BaseStrictnessTests {
  private func error(_ text: String, _ coding: BaseCoding = .base64) -> DataFormatError? {
    error(DataBuffer(text.utf8), coding)
  }

  private func error(_ bytes: DataBuffer, _ coding: BaseCoding = .base64) -> DataFormatError? {
    formatError { _ = try bytes.decoded(from: coding) }
  }

  @Test("A truncated group is an error and no shorter result")
  func aTruncatedGroupIsNoShorterResult() {
    #expect(error("aGVsb") == DataFormatError(.truncated, offset: 5))
    #expect(error("aGVsbA") == DataFormatError(.truncated, offset: 6))
    #expect(error("aGVsbA=") == DataFormatError(.truncated, offset: 7))
    #expect(error("aGVsbA= \n") == DataFormatError(.truncated, offset: 9))
    #expect(error("MZXW6", .base32) == DataFormatError(.truncated, offset: 5))
    #expect(error("MZXW6==", .base32) == DataFormatError(.truncated, offset: 7))
  }

  @Test("Equal signs alone are an error and no huge buffer")
  func equalSignsAloneAreNoHugeObject() {
    #expect(error("====") == DataFormatError(.misplacedPadding, offset: 0))
    #expect(error("========", .base32) == DataFormatError(.misplacedPadding, offset: 0))
    #expect(error(" =") == DataFormatError(.misplacedPadding, offset: 1))
  }

  @Test("A line feed in a region after equal signs gives no huge buffer")
  func aLineFeedInARegionBehindEqualSignsIsNoHugeObject() throws {
    let divided = DataBuffer("QQ==".utf8) + DataBuffer("\n".utf8)
    #expect(try [UInt8](divided.decoded(from: .base64)) == [65])
  }

  @Test("Equal signs in several regions end one group")
  func equalSignsInSeveralRegionsEndOneGroup() throws {
    for (text, coding) in [("QUI=", BaseCoding.base64), ("QQ==", .base64), ("IE======", .base32)] {
      let whole = try DataBuffer(text.utf8).decoded(from: coding)
      #expect(whole.first == 65)
      for divided in everyDivision(of: Array(text.utf8)) {
        #expect(try divided.decoded(from: coding) == whole)
      }
    }
  }

  @Test("Base32hex is decoded")
  func baseThirtyTwoHexIsDecoded() throws {
    let symbols = DataBuffer("CPNMUOJ1E8======".utf8)
    #expect(try [UInt8](symbols.decoded(from: .base32hex)) == Array("foobar".utf8))
  }

  @Test("Equal signs stand only at the end")
  func equalSignsStandOnlyAtTheEnd() {
    #expect(error("Q=Q=") == DataFormatError(.misplacedPadding, offset: 1))
    #expect(error("QUI=QUI=") == DataFormatError(.symbolBehindPadding, offset: 4))
    #expect(error("QQ=A") == DataFormatError(.symbolBehindPadding, offset: 3))
    #expect(error("QQ===") == DataFormatError(.misplacedPadding, offset: 4))
    #expect(error("QUJD=") == DataFormatError(.misplacedPadding, offset: 4))
    for text in ["M", "MZX", "MZXW6Y"] {
      let filled = text + String(repeating: "=", count: 8 - text.utf8.count)
      #expect(error(filled, .base32) == DataFormatError(.misplacedPadding, offset: text.count))
    }
  }

  @Test("Only blanks may follow equal signs")
  func onlyBlanksStandBehindEqualSigns() {
    #expect(error("QQ== QQ==") == DataFormatError(.symbolBehindPadding, offset: 5))
    #expect(error("QQ==\r") == DataFormatError(.unknownSymbol, offset: 4))
    #expect(error("QQ==\n\t ") == nil)
    #expect(error("QQ =\n=") == nil)
  }

  @Test("Spare bits are zero")
  func spareBitsAreZero() {
    #expect(error("QR==") == DataFormatError(.spareBits, offset: 1))
    #expect(error("QUJ=") == DataFormatError(.spareBits, offset: 2))
    #expect(error("QUI=") == nil)
    #expect(error("MZ======", .base32) == DataFormatError(.spareBits, offset: 1))
    #expect(error("MZXW7===", .base32) == DataFormatError(.spareBits, offset: 4))
  }

  @Test("Carriage returns are no blanks")
  func carriageReturnsAreNoBlanks() {
    #expect(error("QUJD\r\nREVG") == DataFormatError(.unknownSymbol, offset: 4))
  }

  @Test("Lower case is no base32")
  func lowerCaseIsNoBaseThirtyTwo() {
    #expect(error("mzxw6===", .base32) == DataFormatError(.unknownSymbol, offset: 0))
    #expect(error("CPNMu===", .base32hex) == DataFormatError(.unknownSymbol, offset: 4))
  }

  @Test("Every byte is symbol, blank, equal sign or error", arguments: BaseCoding.allCases)
  func everyByteIsToldApart(_ coding: BaseCoding) throws {
    let all = DataBuffer(0...255).encoded(as: coding)
    let symbols = Set(all).subtracting([UInt8(ascii: "=")])
    #expect(symbols.count == (coding == .base64 ? 64 : 32))
    for byte in UInt8.min ... .max {
      for place in 0..<16 {
        var bytes = [UInt8](repeating: all[0], count: 16)
        bytes[place] = byte
        let found = error(DataBuffer(bytes), coding)
        if symbols.contains(byte) {
          #expect(found == nil)
        } else if "\n\t ".utf8.contains(byte) {
          #expect(found == DataFormatError(.truncated, offset: 16))
        } else if byte == UInt8(ascii: "=") {
          let reasons: [DataFormatError.Reason?] =
            place == 15 ? [nil] : [.misplacedPadding, .symbolBehindPadding]
          #expect(reasons.contains(found?.reason))
        } else {
          #expect(found == DataFormatError(.unknownSymbol, offset: place))
        }
      }
    }
  }

  @Test("Offsets count across parts and regions")
  func offsetsCountOverPartsAndRegions() {
    let text = Array("QUJDREVGQUJDREVG!UJD".utf8)
    for size in 1...text.count {
      var decoder = BaseDecoder(.base64)
      var found: DataFormatError?
      for start in stride(from: 0, to: text.count, by: size) {
        let part = text[start..<min(start + size, text.count)]
        found = formatError { _ = try decoder.decode(DataBuffer(part)) }
      }
      #expect(found == DataFormatError(.unknownSymbol, offset: 16))
      #expect(formatError { _ = try decoder.finish() } == found)
    }
    #expect(error(text.reduce(into: DataBuffer()) { $0.append(DataBuffer([$1])) })?.offset == 16)
  }

  @Test("A number of bytes that does not fit in Int stops the program")
  func moreBytesThanFitInInt() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var decoder = BaseDecoder(.base64)
      _ = try decoder.decode(DataBuffer("Q".utf8))
      _ = try decoder.decode(.unreadable(.max))
    }
    expectMessage("The number of bytes that a decoder takes fits in Int.", from: result)
  }

  @Test("The error of a missing end is thrown again")
  func aMissingEndIsThrownAgain() {
    var decoder = BaseDecoder(.base64)
    #expect(formatError { _ = try decoder.decode(DataBuffer("QQ".utf8)) } == nil)
    for _ in 0..<2 {
      #expect(formatError { _ = try decoder.finish() } == DataFormatError(.truncated, offset: 2))
      #expect(formatError { _ = try decoder.decode(DataBuffer("==".utf8)) }?.offset == 2)
    }
  }
}
