import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Records of the kernel's reports")
struct FileNotificationTests {
  private func words(_ words: UInt32...) -> [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word.littleEndian >> (8 * $0)) }
    }
  }

  private func parsed(_ bytes: [UInt8], count: Int? = nil) -> [FileNotification] {
    Array(FileNotifications(bytes, count: count ?? bytes.count))
  }

  @Test("Records with and without names are parsed")
  func records() {
    let name = Array("name".utf8) + [UInt8](repeating: 0, count: 12)
    let bytes =
      words(7, FileNotices.modified.rawValue, 0, 0)
      + words(9, FileNotices.created.union(.directory).rawValue, 5, 16) + name
      + words(.max, FileNotices.overflow.rawValue, 0, 0)
    #expect(
      parsed(bytes) == [
        FileNotification(watch: 7, notices: .modified, hasName: false),
        FileNotification(watch: 9, notices: [.created, .directory], hasName: true),
        FileNotification(watch: -1, notices: .overflow, hasName: false),
      ]
    )
  }

  @Test("A record that is cut off ends the sequence, at every length")
  func truncation() {
    let name = Array("name".utf8) + [UInt8](repeating: 0, count: 12)
    let first = words(1, FileNotices.attributes.rawValue, 0, 0)
    let bytes = first + words(2, FileNotices.removed.rawValue, 0, 16) + name
    for count in 0...bytes.count {
      let expected = count < first.count ? 0 : count < bytes.count ? 1 : 2
      #expect(parsed(bytes, count: count).count == expected)
      #expect(parsed(Array(bytes[..<count])).count == expected)
    }
  }

  @Test("Lengths beyond the end and counts beyond the bytes are refused")
  func lengths() {
    for length: UInt32 in [1, 16, 0x7fff_ffff, 0x8000_0000, .max] {
      #expect(parsed(words(1, 2, 0, length)) == [])
    }
    #expect(parsed(words(1, 2, 0, 0), count: 1000).count == 1)
    #expect(parsed(words(1, 2, 0, 0), count: -1).count == 0)
    #expect(parsed(words(1, 2, 0, 4) + [0, 0, 0, 0]).map(\.hasName) == [false])
  }

  @Test("Random bytes are parsed without a failure")
  func random() {
    var generator = SeededGenerator()
    for _ in 0..<2000 {
      var bytes = generator.bytes(generator.number(in: 0..<200))
      // Small lengths make some of them records.
      for index in bytes.indices where index % 16 >= 13 && generator.chance(percent: 80) {
        bytes[index] = 0
      }
      let records = parsed(bytes)
      #expect(records.count <= bytes.count / 16)
    }
  }
}
