import DataRegions
import Foundation
import IOChannelsTestSupport
import Testing

@Suite("Base codings beside those of Foundation and Dispatch")
struct BaseOracleTests {
  @Test("Base64 is the same as in Foundation")
  func baseSixtyFourIsThatOfFoundation() throws {
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 500, full: 20_000) {
      let plain = random.bytes(random.number(in: 0..<300))
      let buffer = random.divided(plain, longest: 50)
      let encoded = buffer.encoded(as: .base64)
      let expected = Data(plain).base64EncodedData()
      #expect([UInt8](encoded) == [UInt8](expected), "seed \(random.seed)")
      let symbols = random.divided([UInt8](expected), longest: 50)
      #expect(try [UInt8](symbols.decoded(from: .base64)) == plain, "seed \(random.seed)")
    }
  }

  /// Foundation takes more; what it would write in the same way is what is right.
  @Test("Only texts that Foundation would write are decoded")
  func onlyWhatFoundationWritesIsTaken() {
    var random = SeededGenerator()
    let symbols = Array("AQwgz9+/==-=".utf8)
    for _ in 0..<Tier.count(quick: 5_000, full: 500_000) {
      let text = (0..<random.number(in: 0..<13)).map { _ in
        symbols[random.number(in: 0..<symbols.count)]
      }
      let ours = formatError { _ = try DataBuffer(text).decoded(from: .base64) }
      let theirs = Data(base64Encoded: Data(text))?.base64EncodedData()
      let isRight = theirs == Data(text)
      #expect((ours == nil) == isRight, "\(text) seed \(random.seed)")
    }
  }

  @Test(
    "Encodings are the same as in Dispatch",
    arguments: [DataFormat.base64, .base32, .base32hex]
  )
  func encodingsAreThoseOfDispatch(_ format: DataFormat) throws {
    try #require(DispatchTransform.isReachable)
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 300, full: 10_000) {
      let plain = random.bytes(random.number(in: 1..<100))
      let parts = random.parts(of: plain, longest: 30)
      let ours = try buffer(parts).transformed(from: .none, to: format)
      #expect(
        [UInt8](ours) == DispatchTransform.apply(parts, .none, format),
        "seed \(random.seed)"
      )
    }
  }

  /// The other alphabet of base 32 is never decoded there.
  @Test("Complete encodings are decoded as in Dispatch", arguments: [DataFormat.base64, .base32])
  func wholeEncodingsAreDecodedAsDispatchDoes(_ format: DataFormat) throws {
    try #require(DispatchTransform.isReachable)
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 300, full: 10_000) {
      let plain = random.bytes(random.number(in: 1..<100))
      let symbols = try DataBuffer(plain).transformed(from: .none, to: format)
      let parts = lines(of: symbols, length: random.number(in: 1..<80))
      let ours = try buffer(parts).transformed(from: format, to: .none)
      #expect(
        [UInt8](ours) == DispatchTransform.apply(parts, format, .none),
        "seed \(random.seed)"
      )
    }
  }

  /// Regions that are lines, with the last group in one of them.
  ///
  /// The reference writes beyond its memory when equal signs of a group lie in two regions.
  private func lines(of symbols: DataBuffer, length: Int) -> [[UInt8]] {
    let (head, tail) = symbols.split(at: max(0, symbols.count - 8))
    let starts = stride(from: 0, to: head.count, by: length)
    let lines = starts.map { [UInt8](head[$0..<min($0 + length, head.count)]) }
    return (lines + [[UInt8](tail)]).map { $0 + [UInt8(ascii: " ")] }
  }

  private func buffer(_ parts: [[UInt8]]) -> DataBuffer {
    parts.reduce(into: DataBuffer()) { $0.append(DataBuffer($1)) }
  }
}
