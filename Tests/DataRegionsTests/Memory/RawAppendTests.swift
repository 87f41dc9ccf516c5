import IOChannelsTestSupport
import Testing

@testable import DataRegions

@Suite("Appends of raw bytes (S49)")
struct RawAppendTests {
  @Test("Few bytes extend the last region")
  func fewBytesMakeTheLastRegionLonger() {
    var bytes = buffer([1])
    bytes.append(spanOf: [2, 3])
    bytes.append(pointerTo: [4])
    bytes.append(contentsOf: 5...6)
    bytes.append(contentsOf: "AB".utf8)
    #expect([UInt8](bytes) == [1, 2, 3, 4, 5, 6, 65, 66])
    #expect(bytes.sizes == [1, 7])
  }

  @Test("Empty bytes add no region")
  func emptyBytesMakeNoRegion() {
    var bytes = DataBuffer()
    bytes.append(spanOf: [])
    bytes.append(contentsOf: EmptyCollection())
    #expect(bytes.regions.isEmpty)
  }

  @Test("Reserved memory doubles up to a bound")
  func roomDoublesUpToABound() {
    var bytes = DataBuffer()
    for _ in 0..<4_000 { bytes.append(spanOf: [UInt8](repeating: 7, count: 64)) }
    let capacities = bytes.regions.map(\.piece.keeper.capacity)
    #expect(capacities == [256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 65536, 65536])
    #expect(bytes.sizes.dropLast() == capacities.dropLast())
    #expect(bytes.count == 4_000 * 64)
  }

  @Test("Many bytes get a region of their own")
  func manyBytesGetTheirOwnRegion() {
    var bytes = DataBuffer()
    bytes.append(spanOf: [1])
    bytes.append(spanOf: pattern(DataBuffer.ownRegionSize))
    bytes.append(spanOf: pattern(DataBuffer.ownRegionSize - 1))
    #expect(bytes.sizes == [1, DataBuffer.ownRegionSize, DataBuffer.ownRegionSize - 1])
    let kept = bytes.regions.map(\.piece.keeper.keptByteCount)
    #expect(kept.dropFirst() == bytes.sizes.dropFirst())
  }

  @Test("Buffers are never copied")
  func buffersAreNeverCopied() {
    let tracked = TrackedMemory()
    var bytes = DataBuffer()
    bytes.append(spanOf: [1])
    bytes.append(contentsOf: tracked.region(0, [2]))
    bytes.append(tracked.region(1, [3]))
    #expect(bytes.regions.map(\.address).suffix(2) == tracked.addresses[...])
  }

  @Test("Values that share reserved memory keep their bytes (I19)")
  func valuesThatShareTheRoomKeepTheirBytes() {
    var first = DataBuffer()
    first.append(spanOf: [1, 2])
    let original = first
    var second = first
    var cut = first.subdata(in: 0..<1)
    first.append(spanOf: [3])
    second.append(spanOf: [4])
    cut.append(spanOf: [5])
    second.append(spanOf: [6])
    #expect([UInt8](original) == [1, 2])
    #expect([UInt8](first) == [1, 2, 3] && first.sizes == [3])
    #expect([UInt8](second) == [1, 2, 4, 6] && second.sizes == [2, 2])
    #expect([UInt8](cut) == [1, 5] && cut.sizes == [1, 1])
  }

  @Test("A part that reaches the end grows")
  func aPartThatReachesTheEndGrows() {
    var bytes = DataBuffer()
    bytes.append(spanOf: [1, 2, 3])
    var tail = singleBytes(40) + bytes.subdata(in: 1..<3)
    tail.append(spanOf: [4])
    bytes.append(spanOf: [5])
    #expect([UInt8](tail.subdata(in: 40..<43)) == [2, 3, 4])
    #expect(tail.regions.count == 41)
    #expect([UInt8](bytes) == [1, 2, 3, 5])
  }

  /// Else each such byte would keep the smallest room of 256 bytes.
  @Test("A value that cannot append in place reserves memory for its bytes")
  func aValueThatLosesItsPlaceTakesRoomForWhatItAppends() {
    var bytes = DataBuffer()
    for round in 0..<20 {
      bytes.append(spanOf: [UInt8](repeating: 7, count: 1 + round))
      var thief = bytes
      thief.append(spanOf: [8])
    }
    let capacities = bytes.regions.map(\.piece.keeper.capacity)
    #expect(capacities == [256] + (2...20).map { max(16, 2 * $0) })
    #expect(bytes.sizes == Array(1...20))
    for _ in 0..<40 { bytes.append(spanOf: [9, 9]) }
    #expect(bytes.regions.suffix(3).map(\.piece.keeper.capacity) == [16, 32, 64])
  }

  /// Else a full room of 64 KiB, copied many times, would cost each copy as much again.
  @Test("Only one copy of a full region gets the next larger one")
  func onlyOneCopyOfAFullRoomGetsTheNextLarger() {
    var full = DataBuffer()
    for _ in 0..<4 { full.append(spanOf: [UInt8](repeating: 7, count: 64)) }
    let capacities = (0..<4).map { _ in
      var copy = full
      copy.append(spanOf: [1])
      return copy.regions[1].piece.keeper.capacity
    }
    #expect(capacities == [512, 16, 16, 16])
  }
}
