import IOChannelsTestSupport
import Testing

@testable import DataRegions

@Suite("Compact buffers (S52)")
struct CompactionTests {
  @Test("A buffer without unused memory stays as it is")
  func whatIsTightStaysAsItIs() {
    let large = DataBuffer(pattern(5000))
    let mixed = large + DataBuffer([1]) + large.subdata(in: 0..<2500)
    #expect(mixed.compacted().regions.map(\.address) == mixed.regions.map(\.address))
    #expect(DataBuffer.empty.compacted().isEmpty)
    let one = DataBuffer([1])
    #expect(one.compacted().regions[0].address == one.regions[0].address)
  }

  @Test("A buffer that uses half of its memory is not copied")
  func halfOfTheMemoryIsEnough() {
    let large = DataBuffer(pattern(5000))
    let half = large.subdata(in: 100..<2600)
    #expect(half.compacted().regions[0].address == half.regions[0].address)
    let less = large.subdata(in: 100..<2599)
    #expect(less.compacted().regions[0].address != less.regions[0].address)
    #expect(less.compacted() == less)
    #expect(less.compacted().keptByteCount == 2499)
  }

  @Test("Parts of one memory count together")
  func partsOfOneMemoryCountTogether() {
    let large = DataBuffer(pattern(6000))
    let parts = large.subdata(in: 0..<1500) + large.subdata(in: 4000..<5500)
    #expect(parts.compacted().regions.map(\.address) == parts.regions.map(\.address))
  }

  @Test("Regions that are joined do not count for their former memory")
  func whatIsPutTogetherDoesNotSpeakForItsMemory() {
    let large = DataBuffer(pattern(5000))
    let parts = [0..<1100, 2000..<3000, 4000..<4400].map { large.subdata(in: $0) }
    let compact = DataBuffer(concatenating: parts).compacted()
    #expect(compact.keptByteCount == 2500)
    #expect(compact.sizes == [2500])
  }

  @Test("Small neighbours are joined")
  func smallNeighboursArePutTogether() {
    let small = DataBuffer.smallRegionSize - 1
    let whole = buffer([1], [2, 3], pattern(small), pattern(small + 1), [4], pattern(5000), [5])
    #expect(whole.compacted().sizes == [small + 3, small + 1, 1, 5000, 1])
    #expect(whole.compacted() == whole)
  }

  @Test("The remainder of a queue releases the unused memory")
  func aQueuesRemainderLetsItsMemoryGo() {
    let tracked = TrackedMemory()
    var rest = tracked.region(0, pattern(10_000)).subdata(in: 9_000..<10_000)
    rest = rest.compacted()
    #expect(tracked.returns == [0: 1])
    #expect([UInt8](rest) == pattern(1_000, from: 9_000))
  }

  @Test("Memory without a deallocator is not copied")
  func memoryThatNobodyGivesBackIsNotCopied() {
    let lasting = DataBuffer.lasting(pattern(10_000)).subdata(in: 0..<2_000)
    #expect(lasting.compacted().regions[0].address == lasting.regions[0].address)
  }

  @Test("A compact buffer keeps at most twice its bytes")
  func atMostTwiceTheCountIsKept() {
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 500, full: 10_000) {
      let sources = (0..<4).map { _ in DataBuffer(pattern(random.number(in: 1..<6_000))) }
      var bytes = DataBuffer()
      for _ in 0..<random.number(in: 1..<20) {
        let source = sources[random.number(in: 0..<4)]
        let ends = [0, 0].map { _ in random.number(in: 0..<source.count + 1) }.sorted()
        bytes += source.subdata(in: ends[0]..<ends[1])
        if random.chance(percent: 30) { bytes.append(spanOf: random.bytes(3)) }
      }
      let compact = bytes.compacted()
      #expect(compact == bytes, "seed \(random.seed)")
      #expect(compact.keptByteCount <= 2 * bytes.count, "seed \(random.seed)")
    }
  }
}
