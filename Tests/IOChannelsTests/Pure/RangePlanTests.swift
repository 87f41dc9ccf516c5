import IOChannelsTestSupport
import Testing

@testable import IOChannels

@Suite("Reads that cover several ranges (S234)")
struct RangePlanTests {
  private func reads(_ ranges: [Range<Int64>], gap: Int64 = 10, length: Int64 = 100) -> [RangePlan
    .Read]
  {
    RangePlan(ranges, gapLimit: gap, lengthLimit: length).reads
  }

  @Test("Ranges that are near share a read, in the order of their offsets")
  func near() {
    #expect(
      reads([30..<40, 0..<20, 51..<60]) == [
        RangePlan.Read(range: 0..<40, members: [1, 0]),
        RangePlan.Read(range: 51..<60, members: [2]),
      ]
    )
  }

  @Test("A read of several ranges has a limit, and one range has none")
  func limit() {
    #expect(reads([0..<90, 95..<101]).map(\.range) == [0..<90, 95..<101])
    #expect(reads([0..<90, 95..<100]).map(\.range) == [0..<100])
    #expect(reads([0..<500, 400..<450, 500..<501]).map(\.range) == [0..<500, 500..<501])
  }

  @Test("Ranges may be empty, equal, negative and extreme")
  func extremes() {
    #expect(reads([]) == [])
    #expect(reads([5..<5, 5..<5]) == [RangePlan.Read(range: 5..<5, members: [0, 1])])
    #expect(
      reads([.min..<0, 0..<Int64.max, Int64.max..<Int64.max]).map(\.members) == [[0], [1, 2]]
    )
  }

  @Test("Each range is in one read that covers it")
  func cover() {
    var random = SeededGenerator(for: "ranges")
    for _ in 0..<200 {
      let ranges = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        let start = Int64.random(in: 0...1000, using: &random)
        return start..<start + Int64.random(in: 0...120, using: &random)
      }
      let found = reads(ranges)
      #expect(found.flatMap(\.members).sorted() == Array(ranges.indices))
      for read in found {
        for member in read.members {
          let range = ranges[member]
          #expect(range.lowerBound >= read.range.lowerBound)
          #expect(range.upperBound <= read.range.upperBound)
        }
        #expect(read.members.count == 1 || read.range.count <= 240)
      }
    }
  }
}
