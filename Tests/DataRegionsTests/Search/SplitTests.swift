import DataRegions
import IOChannelsTestSupport
import Testing

@Suite("Splits (S53)")
struct SplitTests {
  @Test("Parts share the memory")
  func partsShareTheMemory() {
    let whole = buffer([1, 0, 2], [3, 0])
    let parts = whole.split(separator: 0)
    #expect(parts.map { [UInt8]($0) } == [[1], [2, 3]])
    #expect(parts[1].sizes == [1, 1])
    #expect(parts[1].regions[0].address == whole.regions[0].address + 2)
  }

  @Test("A long separator may cross regions")
  func aLongSeparatorMayCrossRegions() {
    let whole = buffer([1, 13], [10, 2, 13], [3, 13, 10])
    #expect(whole.split(separator: [13, 10]).map { [UInt8]($0) } == [[1], [2, 13, 3]])
    let all = whole.split(separator: [13, 10], omittingEmptySubsequences: false)
    #expect(all.map { [UInt8]($0) } == [[1], [2, 13, 3], []])
  }

  @Test("Separators do not overlap")
  func separatorsDoNotOverlap() {
    let parts = buffer([7, 7], [7, 7, 7]).split(
      separator: [7, 7],
      omittingEmptySubsequences: false
    )
    #expect(parts.map { [UInt8]($0) } == [[], [], [7]])
  }

  @Test("The standard library splits alike")
  func theStandardLibraryCutsAlike() {
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 1_000, full: 20_000) {
      let bytes = random.bytes(random.number(in: 0..<20)).map { $0 & 3 }
      let divided = randomlyDivided(bytes, &random)
      for omits in [true, false] {
        for limit in [0, 1, 2, 3, Int.max] {
          let expected = bytes.split(
            separator: 1,
            maxSplits: limit,
            omittingEmptySubsequences: omits
          ).map { Array($0) }
          let oneByte = divided.split(
            separator: 1,
            maxSplits: limit,
            omittingEmptySubsequences: omits
          )
          #expect(oneByte.map { [UInt8]($0) } == expected, "seed \(random.seed)")
          let sequence = divided.split(
            separator: [1],
            maxSplits: limit,
            omittingEmptySubsequences: omits
          )
          #expect(sequence == oneByte, "seed \(random.seed)")
        }
      }
    }
  }

  @Test("Joined parts are the complete buffer")
  func joinedPartsAreTheWhole() {
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 500, full: 10_000) {
      let bytes = random.bytes(random.number(in: 0..<60)).map { $0 & 1 }
      let separator = random.bytes(random.number(in: 1..<4)).map { $0 & 1 }
      let parts = randomlyDivided(bytes, &random).split(
        separator: separator,
        omittingEmptySubsequences: false
      ).map { [UInt8]($0) }
      #expect(Array(parts.joined(separator: separator)) == bytes, "seed \(random.seed)")
      #expect(
        parts.allSatisfy { naiveRanges(of: separator, in: $0).isEmpty },
        "seed \(random.seed)"
      )
    }
  }
}
