import DataRegions
import Testing

/// S45 and S50: an offset or range outside of a buffer stops with a sentence.
@Suite struct OffsetMisuseTests {
  @Test func aRangeBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).subdata(in: 1..<4)
    }
    #expect(result.says("The range lies inside the buffer."))
  }

  @Test func aRangeBeforeTheStart() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).subdata(in: -1..<1)
    }
    #expect(result.says("The range lies inside the buffer."))
  }

  @Test func anEmptyRangeOutside() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).subdata(in: 4..<4)
    }
    #expect(result.says("The range lies inside the buffer."))
  }

  @Test func aSearchBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).firstIndex(of: 1, in: 2..<4)
    }
    #expect(result.says("The range lies inside the buffer."))
  }

  @Test func aSearchForASequenceBeforeTheStart() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).firstRange(of: [1], in: -1..<2)
    }
    #expect(result.says("The range lies inside the buffer."))
  }

  @Test func aSearchForNothingBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).firstRange(of: [], in: 4..<5)
    }
    #expect(result.says("The range lies inside the buffer."))
  }

  @Test func aBackwardSearchBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).lastIndex(of: 1, in: 2..<4)
    }
    #expect(result.says("The range lies inside the buffer."))
  }

  @Test func aBackwardSearchForNothingBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).lastRange(of: [], in: 4..<5)
    }
    #expect(result.says("The range lies inside the buffer."))
  }

  @Test func aSearchForAllPlacesOfNothingBeforeTheStart() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).ranges(of: [], in: -1..<2)
    }
    #expect(result.says("The range lies inside the buffer."))
  }

  @Test func aCopyOfARangeBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).copied(room: 2, from: 3..<5)
    }
    #expect(result.says("The range lies inside the buffer."))
  }

  @Test func aCopyOfALongRangeIntoLittleRoom() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).copied(room: 1, from: 1..<5)
    }
    #expect(result.says("The range lies inside the buffer."))
  }

  @Test func aCopyFromTheLeastNumber() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).copied(room: 1, from: Int.min..<2)
    }
    #expect(result.says("The range lies inside the buffer."))
  }

  @Test func aSplitBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).split(at: 4)
    }
    #expect(result.says("The offset lies inside the buffer."))
  }

  @Test func aByteBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3])[3]
    }
    #expect(result.says("The offset lies inside the buffer."))
  }

  @Test func aByteBeforeTheStart() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = buffer([1, 2], [3])[-1]
    }
    #expect(result.says("The offset lies inside the buffer."))
  }

  @Test func aByteOfNothing() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer()[0]
    }
    #expect(result.says("The offset lies inside the buffer."))
  }

  @Test func theRegionOfAByteBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = buffer([1, 2], [3]).region(containing: 3)
    }
    #expect(result.says("The offset lies inside the buffer."))
  }

  @Test func theRegionsNumberOfAByteBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = buffer([1, 2], [3]).regions.index(containing: 3)
    }
    #expect(result.says("The offset lies inside the buffer."))
  }

  @Test func aRegionBeyondTheLast() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = buffer([1, 2], [3]).regions[2]
    }
    #expect(result.says("The region's number is in bounds."))
  }

  @Test func aByteBeyondARegion() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = buffer([1, 2], [3]).regions[0][2]
    }
    #expect(result.says("A position lies inside its region."))
  }
}
