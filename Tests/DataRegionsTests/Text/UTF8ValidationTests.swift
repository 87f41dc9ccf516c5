import DataRegions
import IOChannelsTestSupport
import Testing

@Suite("Validation of UTF-8")
struct UTF8ValidationTests {
  /// The bytes at which what is allowed changes.
  private static let borders: [UInt8] = [
    0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1,
    0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
  ]

  /// Where the standard library finds the first error.
  private func expected(_ bytes: [UInt8]) -> Int? {
    do {
      _ = try UTF8Span(validating: bytes.span)
      return nil
    } catch {
      return error.byteOffsets.lowerBound
    }
  }

  private func offset(_ buffer: DataBuffer) -> Int? {
    formatError { try buffer.validateUTF8() }?.offset
  }

  @Test("Every pair of bytes is judged as the standard library does (S57)")
  func pairs() {
    for first in UInt8.min ... .max {
      for second in UInt8.min ... .max {
        let bytes = [first, second]
        #expect(offset(DataBuffer(bytes)) == expected(bytes), "\(bytes)")
      }
    }
  }

  @Test("Every short text of border bytes is judged as the standard library does (S57)")
  func shortTexts() {
    var texts: [[UInt8]] = [[]]
    for _ in 0..<Tier.count(quick: 3, full: 4) {
      texts = texts.flatMap { text in Self.borders.map { text + [$0] } }
      let wrong = texts.filter { offset(DataBuffer($0)) != expected($0) }
      #expect(wrong == [])
    }
  }

  @Test("Four bytes with every border are judged as the standard library does (S57)")
  func fourBytes() {
    for first in [0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5] as [UInt8] {
      for second in Self.borders {
        for third in [0x7f, 0x80, 0xbf, 0xc0] as [UInt8] {
          for fourth in [0x7f, 0x80, 0xbf, 0xc0] as [UInt8] {
            let bytes = [first, second, third, fourth]
            #expect(offset(DataBuffer(bytes)) == expected(bytes), "\(bytes)")
          }
        }
      }
    }
  }

  @Test("Regions do not show (S62)")
  func divisions() {
    let texts = ["aé漢🙂z", "🙂🙂", "abcdefgh漢"].map { Array($0.utf8) }
    let wrong: [[UInt8]] = [
      [0x61, 0xe6, 0xbc], [0xf0, 0x9f, 0x99, 0x41], [0xc3, 0xa9, 0xed, 0xa0, 0x80],
      [0x61, 0x62, 0xf4, 0x90, 0x80, 0x80], [0xe0, 0x80, 0xaf], [0xc3, 0xa9, 0x80],
    ]
    for bytes in texts + wrong {
      for divided in everyDivision(of: bytes) {
        #expect(offset(divided) == expected(bytes))
        #expect(divided.isValidUTF8 == (expected(bytes) == nil))
      }
    }
  }

  @Test("Random texts are valid exactly if the standard library accepts them")
  func randomTextsAreJudgedAsTheStandardLibraryDoes() {
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 2_000, full: 100_000) {
      let bytes = random.spoiled(Array(random.text(characters: 30).utf8))
      let divided = random.divided(bytes, longest: 20)
      #expect(offset(divided) == expected(bytes), "seed \(random.seed)")
      let string = String(validating: bytes, as: UTF8.self)
      #expect(divided.isValidUTF8 == (string != nil), "seed \(random.seed)")
    }
  }

  @Test("Errors name their reasons")
  func reasonsAreTold() {
    func reason(_ bytes: [UInt8]) -> DataFormatError.Reason? {
      formatError { try DataBuffer(bytes).validateUTF8() }?.reason
    }
    #expect(reason([0x61, 0xe6, 0xbc]) == .truncated)
    #expect(reason([0x61, 0xff]) == .malformedUTF8)
    #expect(reason([0xe6, 0x61]) == .malformedUTF8)
  }
}
