import DataRegions
import Testing

@Suite("Regions")
struct RegionTests {
  @Test("Regions know their offsets")
  func regionsKnowTheirOffsets() {
    let regions = buffer([0, 1, 2], [3], [4, 5]).regions
    #expect(regions.map(\.offset) == [0, 3, 4])
    #expect(regions.map(\.count) == [3, 1, 2])
    #expect(regions.map { [UInt8]($0) } == [[0, 1, 2], [3], [4, 5]])
  }

  @Test("A walk and a search find the same regions", arguments: [1, 2, 32, 33, 1100])
  func walkingAndFindingAgree(_ count: Int) {
    let regions = singleBytes(count).regions
    #expect(regions.count == count)
    for (number, region) in regions.enumerated() {
      #expect(region.offset == number)
      #expect(regions[number].offset == number)
      #expect(regions[number].address == region.address)
    }
    #expect(regions.reversed().map(\.offset) == (0..<count).reversed())
  }

  @Test("A region is found by the offset of a byte")
  func aRegionIsFoundByAByte() {
    let regions = buffer([0, 1, 2], [3], [4, 5]).regions
    #expect((0..<6).map { regions.index(containing: $0) } == [0, 0, 0, 1, 2, 2])
    let many = singleBytes(1100)
    #expect((0..<1100).allSatisfy { many.regions.index(containing: $0) == $0 })
  }

  @Test("The region of a byte is found without a walk")
  func theRegionOfAByteIsHadAtOnce() {
    let whole = buffer([0, 1, 2], [3], [4, 5])
    #expect((0..<6).map { whole.region(containing: $0).offset } == [0, 0, 0, 3, 4, 4])
    #expect([UInt8](whole.region(containing: 5)) == [4, 5])
    #expect(buffer([1, 2]).region(containing: 1).count == 2)
    let many = singleBytes(3000)
    #expect((0..<3000).allSatisfy { many.region(containing: $0).offset == $0 })
  }

  @Test("A region gives access to its bytes")
  func aRegionShowsItsBytes() {
    let region = buffer([0, 1], [2, 3, 4]).regions[1]
    #expect(region.bytes.byteCount == 3)
    #expect(region.shownBytes == [2, 3, 4])
    #expect(region[1] == 3)
    #expect(String(decoding: buffer([72, 105]).regions[0], as: UTF8.self) == "Hi")
    #expect(region.contiguousBytes == [2, 3, 4])
  }

  @Test("A region outlives its buffer")
  func aRegionOutlivesItsBuffer() {
    let tracked = TrackedMemory()
    var whole = tracked.region(0, [1, 2]) + tracked.region(1, [3])
    var region: DataBuffer.Region? = whole.regions[0]
    whole = .empty
    #expect(tracked.returnedNumbers == [1])
    #expect(region.map { [UInt8]($0) } == [1, 2])
    region = nil
    #expect(tracked.returnedNumbers == [0, 1])
  }

  @Test("An enumeration passes bytes and offsets")
  func theEnumerationPassesBytesAndOffsets() {
    let regions = buffer([0, 1, 2], [3], [4, 5]).enumerated()
    #expect(regions.map(\.offset) == [0, 3, 4])
    #expect(regions.map(\.bytes) == [[0, 1, 2], [3], [4, 5]])
  }

  @Test("An enumeration stops when its function sets the flag", arguments: [1, 31, 32, 33, 1100])
  func theEnumerationStopsWhenAsked(_ wanted: Int) {
    let regions = singleBytes(1101).enumerated(wanted)
    #expect(regions.map(\.offset) == Array(0..<wanted))
  }
}
