import IOChannelsSystem
import Testing

@testable import FileCopy

/// The choice of the part that copies a file, and the reports of parts.
@Suite("Parts of copies")
struct ShardRuleTests {
  private func rules(_ count: Int) -> [ShardRule] {
    (0..<count).compactMap { ShardRule(.part($0, of: count)) }
  }

  private func status(inode: UInt64, links: UInt64) -> FileStatus {
    let time = FileTime(seconds: 0, nanoseconds: 0)
    return FileStatus(
      identity: FileIdentity(device: 1, inode: inode),
      mode: 0o100644,
      links: links,
      accessed: time,
      modified: time,
      changed: time
    )
  }

  @Test("Each file belongs to exactly one part (T68)", arguments: [1, 2, 3, 7, 64, 1000])
  func disjoint(count: Int) {
    let rules = rules(count)
    #expect(rules.count == count)
    for number in 0..<200 {
      let path = BytePath("d\(number % 7)/f\(number)")
      #expect(rules.count { $0.includes(path: path) } == 1)
      #expect(rules.count { $0.includes(inode: UInt64(number) << 7) } == 1)
    }
  }

  @Test("All names of a file belong to one part, whatever they are (T68)")
  func links() {
    for rule in rules(8) {
      let parts = Set(
        (0..<50).map { rule.includes(path: BytePath("f\($0)"), status(inode: 9, links: 2)) }
      )
      #expect(parts.count == 1)
    }
    // The path decides about a file with one name, and the device does not matter.
    let rule = rules(8)[0]
    for number in 0..<50 {
      let path = BytePath("f\(number)")
      let status = status(inode: UInt64(number), links: 1)
      #expect(rule.includes(path: path, status) == rule.includes(path: path))
    }
  }

  @Test("The parts have about the same number of files (T68)")
  func balance() {
    let rules = rules(16)
    var counts = [Int](repeating: 0, count: 16)
    for number in 0..<16_000 {
      let path = BytePath("run-\(number / 1000)/sample-\(number).dat")
      for (index, rule) in rules.enumerated() where rule.includes(path: path) {
        counts[index] += 1
      }
    }
    #expect(counts.reduce(0, +) == 16_000)
    // The standard deviation is 31 files.
    #expect(counts.allSatisfy { (840...1160).contains($0) }, "\(counts)")
  }

  @Test("The choice is the same in every version and on every machine (T68)")
  func stable() {
    // XXH3 with 64 bits, of the empty sequence and of the letter a.
    #expect(ContentSum.hash([]) == 0x2d06_8005_38d3_94c2)
    #expect(ContentSum.hash(Array("a".utf8)) == 0xe6c6_32b6_1e96_4e1f)
    #expect(rules(4).firstIndex { $0.includes(path: "") } == 0)
    #expect(rules(4).firstIndex { $0.includes(path: "a") } == 3)
  }

  @Test("Only an index below the number of parts is valid (T68)")
  func validity() {
    #expect(CopyShard.part(0, of: 1).isValid && CopyShard.part(6, of: 7).isValid)
    #expect(CopyShard.finish.isValid)
    for shard in [CopyShard.part(0, of: 0), .part(1, of: 1), .part(-1, of: 2), .part(0, of: -1)] {
      #expect(!shard.isValid)
    }
    #expect(ShardRule(.finish) == nil && ShardRule(nil) == nil)
  }

  @Test("A report has the number of its part in its name (T69)")
  func reportNames() {
    let part = ShardReports.Part(index: 12, count: 100)
    #expect(part.name == ".fastcp-part-12-of-100")
    #expect(ShardReports.Part(parsing: part.name) == part)
    for name in [
      "", "f", ".fastcp-part-", ".fastcp-part-1", ".fastcp-part-1-of-", ".fastcp-part-1-of-1",
      ".fastcp-part-01-of-2", ".fastcp-part-+1-of-2", ".fastcp-part--1-of-2",
      ".fastcp-part-0-of-2~", "x.fastcp-part-0-of-2", ".fastcp-part-0-of-99999999999999999999",
    ] {
      #expect(ShardReports.Part(parsing: BytePath(name)) == nil, "\(name)")
    }
    // A report is no hidden file of a copy, which a later copy would remove.
    #expect(!HiddenNames.contain(part.name))
  }

  @Test("The last step needs the reports of all parts, with the same number of parts (T69)")
  func missing() {
    let reports = ShardReports(in: .workingDirectory, "d")
    func texts(_ parts: [(Int, Int)]) -> [String] {
      let found = Set(parts.map { ShardReports.Part(index: $0.0, count: $0.1) })
      return reports.failures(of: found).map { $0.text() }
    }
    #expect(texts([(0, 3), (1, 3), (2, 3)]) == [])
    #expect(texts([]) == ["no part of the copy has reported in 'd'"])
    #expect(
      texts([(1, 3)]) == ["part 0/3 has not reported in 'd'", "part 2/3 has not reported in 'd'"]
    )
    #expect(texts([(0, 1), (0, 2), (1, 2)]) == ["parts of 1 and of 2 parts have reported in 'd'"])
    // A name that claims many parts takes neither long nor much memory.
    let many = texts([(0, .max)])
    #expect(many.count == ShardReports.namedLimit)
    #expect(many.first == "part 1/\(Int.max) has not reported in 'd'")
  }
}
