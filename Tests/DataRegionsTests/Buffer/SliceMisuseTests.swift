import DataRegions
import IOChannelsTestSupport
import Testing

@Suite("Offsets and ranges outside of a slice (S50)")
struct SliceMisuseTests {
  @Test("A slice beyond the end stops the program")
  func aSliceBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3])[1..<4]
    }
    expectMessage("The range lies inside the buffer.", from: result)
  }

  @Test("A byte behind a slice stops the program")
  func aByteBehindASlice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = buffer([1, 2], [3])[..<2][2]
    }
    expectMessage("The offset lies inside the slice.", from: result)
  }

  @Test("A byte before a slice stops the program")
  func aByteBeforeASlice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = buffer([1, 2], [3])[1...][0]
    }
    expectMessage("The offset lies inside the slice.", from: result)
  }

  @Test("A slice behind a slice stops the program")
  func aSliceBehindASlice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = buffer([1, 2], [3])[..<2][1..<3]
    }
    expectMessage("The range lies inside the slice.", from: result)
  }

  @Test("A slice before a slice stops the program")
  func aSliceBeforeASlice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = buffer([1, 2], [3])[2...][1..<3]
    }
    expectMessage("The range lies inside the slice.", from: result)
  }
}
