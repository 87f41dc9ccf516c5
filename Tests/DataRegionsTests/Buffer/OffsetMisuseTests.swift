import DataRegions
import IOChannelsTestSupport
import Testing

@Suite("Offsets and ranges outside of a buffer (S45, S50)")
struct OffsetMisuseTests {
  @Test("A range beyond the end stops the program")
  func aRangeBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).subdata(in: 1..<4)
    }
    expectMessage("The range lies inside the buffer.", from: result)
  }

  @Test("A range before the start stops the program")
  func aRangeBeforeTheStart() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).subdata(in: -1..<1)
    }
    expectMessage("The range lies inside the buffer.", from: result)
  }

  @Test("An empty range outside stops the program")
  func anEmptyRangeOutside() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).subdata(in: 4..<4)
    }
    expectMessage("The range lies inside the buffer.", from: result)
  }

  @Test("A location at the end stops the program")
  func aLocationAtTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).region(location: 3)
    }
    expectMessage("The offset lies inside the buffer.", from: result)
  }

  @Test("A range of the standard library's slice beyond the end stops the program")
  func aStandardSliceBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).sliced(1..<4)
    }
    expectMessage("The range lies inside the buffer.", from: result)
  }

  @Test("A range copied to an address beyond the end stops the program")
  func aRangeToAnAddressBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).copied(toAddressFrom: 1..<4)
    }
    expectMessage("The range lies inside the buffer.", from: result)
  }

  @Test("A search beyond the end stops the program")
  func aSearchBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).firstIndex(of: 1, in: 2..<4)
    }
    expectMessage("The range lies inside the buffer.", from: result)
  }

  @Test("A search for a sequence before the start stops the program")
  func aSearchForASequenceBeforeTheStart() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).firstRange(of: [1], in: -1..<2)
    }
    expectMessage("The range lies inside the buffer.", from: result)
  }

  @Test("A search for nothing beyond the end stops the program")
  func aSearchForNothingBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).firstRange(of: [], in: 4..<5)
    }
    expectMessage("The range lies inside the buffer.", from: result)
  }

  @Test("A backward search beyond the end stops the program")
  func aBackwardSearchBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).lastIndex(of: 1, in: 2..<4)
    }
    expectMessage("The range lies inside the buffer.", from: result)
  }

  @Test("A backward search for nothing beyond the end stops the program")
  func aBackwardSearchForNothingBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).lastRange(of: [], in: 4..<5)
    }
    expectMessage("The range lies inside the buffer.", from: result)
  }

  @Test("A search for all places of nothing before the start stops the program")
  func aSearchForAllPlacesOfNothingBeforeTheStart() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).ranges(of: [], in: -1..<2)
    }
    expectMessage("The range lies inside the buffer.", from: result)
  }

  @Test("A copy of a range beyond the end stops the program")
  func aCopyOfARangeBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).copied(room: 2, from: 3..<5)
    }
    expectMessage("The range lies inside the buffer.", from: result)
  }

  @Test("A copy of a long range into a small destination stops the program")
  func aCopyOfALongRangeIntoLittleRoom() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).copied(room: 1, from: 1..<5)
    }
    expectMessage("The range lies inside the buffer.", from: result)
  }

  @Test("A copy from the least Int stops the program")
  func aCopyFromTheLeastNumber() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).copied(room: 1, from: Int.min..<2)
    }
    expectMessage("The range lies inside the buffer.", from: result)
  }

  @Test("A split beyond the end stops the program")
  func aSplitBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3]).split(at: 4)
    }
    expectMessage("The offset lies inside the buffer.", from: result)
  }

  @Test("A byte beyond the end stops the program")
  func aByteBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3])[3]
    }
    expectMessage("The offset lies inside the buffer.", from: result)
  }

  @Test("A byte before the start stops the program")
  func aByteBeforeTheStart() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = buffer([1, 2], [3])[-1]
    }
    expectMessage("The offset lies inside the buffer.", from: result)
  }

  @Test("A byte of nothing stops the program")
  func aByteOfNothing() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer()[0]
    }
    expectMessage("The offset lies inside the buffer.", from: result)
  }

  @Test("The region of a byte beyond the end stops the program")
  func theRegionOfAByteBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = buffer([1, 2], [3]).region(containing: 3)
    }
    expectMessage("The offset lies inside the buffer.", from: result)
  }

  @Test("The region number of a byte beyond the end stops the program")
  func theRegionsNumberOfAByteBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = buffer([1, 2], [3]).regions.index(containing: 3)
    }
    expectMessage("The offset lies inside the buffer.", from: result)
  }

  @Test("A region beyond the last stops the program")
  func aRegionBeyondTheLast() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = buffer([1, 2], [3]).regions[2]
    }
    expectMessage("The region's number is in bounds.", from: result)
  }

  @Test("A byte beyond a region stops the program")
  func aByteBeyondARegion() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = buffer([1, 2], [3]).regions[0][2]
    }
    expectMessage("A position lies inside its region.", from: result)
  }
}
