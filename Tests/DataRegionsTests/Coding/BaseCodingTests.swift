import DataRegions
import IOChannelsTestSupport
import Testing

@Suite("Base codings")
struct BaseCodingTests {
  /// The examples of RFC 4648: plain text, base 64, base 32, base 32 hex.
  static let examples = [
    ["", "", "", ""],
    ["f", "Zg==", "MY======", "CO======"],
    ["fo", "Zm8=", "MZXQ====", "CPNG===="],
    ["foo", "Zm9v", "MZXW6===", "CPNMU==="],
    ["foob", "Zm9vYg==", "MZXW6YQ=", "CPNMUOG="],
    ["fooba", "Zm9vYmE=", "MZXW6YTB", "CPNMUOJ1"],
    ["foobar", "Zm9vYmFy", "MZXW6YTBOI======", "CPNMUOJ1E8======"],
  ]

  private func coded(_ example: [String], _ coding: BaseCoding) -> [UInt8] {
    switch coding {
    case .base64: Array(example[1].utf8)
    case .base32: Array(example[2].utf8)
    case .base32hex: Array(example[3].utf8)
    }
  }

  @Test("The examples of the standard are encoded and decoded", arguments: BaseCoding.allCases)
  func theExamplesOfTheStandardHold(_ coding: BaseCoding) throws {
    for example in Self.examples {
      let plain = DataBuffer(example[0].utf8)
      let symbols = coded(example, coding)
      #expect([UInt8](plain.encoded(as: coding)) == symbols)
      #expect(try DataBuffer(symbols).decoded(from: coding) == plain)
    }
  }

  @Test("An encoding is one region without line breaks (S55)", arguments: BaseCoding.allCases)
  func anEncodingIsOneRegion(_ coding: BaseCoding) {
    let encoded = singleBytes(1_000).encoded(as: coding)
    #expect(encoded.regions.count == 1)
    #expect(!encoded.contains(UInt8(ascii: "\n")))
  }

  @Test("Regions do not show (S62)", arguments: BaseCoding.allCases)
  func everyDivisionGivesTheSame(_ coding: BaseCoding) throws {
    for count in 1...11 {
      let plain = pattern(count, from: 200)
      let encoded = DataBuffer(plain).encoded(as: coding)
      for divided in everyDivision(of: plain) { #expect(divided.encoded(as: coding) == encoded) }
    }
    for count in 1...6 {
      let plain = pattern(count, from: 200)
      let encoded = [UInt8](DataBuffer(plain).encoded(as: coding))
      let isTooLong = encoded.count > 12
      let divisions = isTooLong ? [singlesOf(encoded)] : everyDivision(of: encoded)
      for divided in divisions { #expect(try [UInt8](divided.decoded(from: coding)) == plain) }
    }
  }

  private func singlesOf(_ bytes: [UInt8]) -> DataBuffer {
    bytes.reduce(into: DataBuffer()) { $0.append(DataBuffer([$1])) }
  }

  @Test("Parts do not show (S62)", arguments: BaseCoding.allCases)
  func partsGiveTheSameAsTheWhole(_ coding: BaseCoding) throws {
    var random = SeededGenerator()
    var (encoder, decoder) = (BaseEncoder(coding), BaseDecoder(coding))
    for _ in 0..<Tier.count(quick: 300, full: 10_000) {
      let plain = random.bytes(random.number(in: 0..<120))
      let longest = random.number(in: 1..<40)
      var encoded = DataBuffer()
      for part in random.parts(of: plain, longest: longest) {
        encoded += encoder.encode(random.divided(part, longest: 9))
      }
      encoded += encoder.finish()
      #expect(encoded == DataBuffer(plain).encoded(as: coding), "seed \(random.seed)")

      var decoded = DataBuffer()
      for part in random.parts(of: [UInt8](encoded), longest: longest) {
        decoded += try decoder.decode(random.divided(part, longest: 9))
      }
      decoded += try decoder.finish()
      #expect([UInt8](decoded) == plain, "seed \(random.seed)")
    }
  }

  @Test("Blanks are skipped, wherever they stand (S56)", arguments: BaseCoding.allCases)
  func blanksAreSkipped(_ coding: BaseCoding) throws {
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 300, full: 10_000) {
      let plain = random.bytes(random.number(in: 1..<80))
      var symbols: [UInt8] = []
      let percent = random.number(in: 0..<30)
      for symbol in DataBuffer(plain).encoded(as: coding) {
        while random.chance(percent: percent) {
          symbols.append(Array("\n\t ".utf8)[random.number(in: 0..<3)])
        }
        symbols.append(symbol)
      }
      symbols += Array("\n \t".utf8)
      let divided = random.divided(symbols, longest: 30)
      #expect(try [UInt8](divided.decoded(from: coding)) == plain, "seed \(random.seed)")
    }
    #expect(try DataBuffer(" \n".utf8).decoded(from: coding).isEmpty)
  }

  @Test("An encoder starts over after its end")
  func anEncoderStartsOverAfterItsEnd() throws {
    var encoder = BaseEncoder(.base64)
    for _ in 0..<2 {
      #expect(encoder.encode(DataBuffer("foob".utf8)).isEmpty)
      #expect([UInt8](encoder.finish()) == Array("Zm9vYg==".utf8))
    }
    #expect(encoder.finish().isEmpty)
  }

  @Test("A decoder starts over after its end")
  func aDecoderStartsOverAfterItsEnd() throws {
    var decoder = BaseDecoder(.base64)
    for _ in 0..<2 {
      let start = try decoder.decode(DataBuffer("Zm9vYg==".utf8))
      #expect(try [UInt8](start + decoder.finish()) == Array("foob".utf8))
    }
    _ = try decoder.decode(DataBuffer("Zg==".utf8))
    _ = try decoder.finish()
    #expect(formatError { _ = try decoder.decode(DataBuffer("!".utf8)) }?.offset == 0)
  }

  @Test("A number of symbols that does not fit in Int stops the program")
  func moreSymbolsThanFitInInt() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      var bytes = DataBuffer([1])
      for _ in 0..<62 { bytes += bytes }
      bytes += bytes.subdata(in: 0..<bytes.count / 2)
      _ = bytes.encoded(as: .base32)
    }
    expectMessage("symbols of a coding fits in Int", from: result)
  }
}
