import DataRegions
import IOChannelsTestSupport
import Testing

@Suite("Strings from buffers")
struct StringTests {
  @Test("Valid texts become strings")
  func wholeTextsBecomeStrings() throws {
    let text = "aé漢🙂z"
    for divided in everyDivision(of: Array(text.utf8)) {
      #expect(try String(validating: divided) == text)
      #expect(String(repairing: divided) == text)
      #expect(String(decoding: divided, as: UTF8.self) == text)
    }
    #expect(try String(validating: DataBuffer.empty) == "")
    #expect(String(repairing: .empty) == "")
  }

  @Test("A byte order mark is a character")
  func aMarkIsACharacter() throws {
    let marked = try String(validating: buffer([0xef, 0xbb], [0xbf, 0x61]))
    #expect(Array(marked.unicodeScalars) == ["\u{feff}", "a"])
  }

  @Test("A malformed text is an error")
  func aMalformedTextIsAnError() {
    for divided in everyDivision(of: [0x61, 0xc3, 0xa9, 0xe6, 0xbc, 0x62]) {
      let error = formatError { _ = try String(validating: divided) }
      #expect(error == DataFormatError(.malformedUTF8, offset: 3))
    }
  }

  @Test("Repairs are those of the standard library (S59)")
  func repairs() {
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 1_000, full: 50_000) {
      let bytes = random.spoiled(Array(random.text(characters: 20).utf8))
      let divided = random.divided(bytes, longest: 9)
      let expected = String(decoding: bytes, as: UTF8.self)
      // Strings are equal that differ in their scalars, so bytes are compared.
      #expect(String(repairing: divided).utf8.elementsEqual(expected.utf8), "seed \(random.seed)")
      let decoded = String(decoding: divided, as: UTF8.self)
      #expect(decoded.utf8.elementsEqual(expected.utf8), "seed \(random.seed)")
    }
  }
}
