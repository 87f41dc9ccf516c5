import DataRegions
import Testing

/// S50: an offset or range outside of a slice stops with a sentence, also inside of its buffer.
@Suite struct SliceMisuseTests {
  @Test func aSliceBeyondTheEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2, 3])[1..<4]
    }
    #expect(result.says("The range lies inside the buffer."))
  }

  @Test func aByteBehindASlice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = buffer([1, 2], [3])[..<2][2]
    }
    #expect(result.says("The offset lies inside the slice."))
  }

  @Test func aByteBeforeASlice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = buffer([1, 2], [3])[1...][0]
    }
    #expect(result.says("The offset lies inside the slice."))
  }

  @Test func aSliceBehindASlice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = buffer([1, 2], [3])[..<2][1..<3]
    }
    #expect(result.says("The range lies inside the slice."))
  }

  @Test func aSliceBeforeASlice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = buffer([1, 2], [3])[2...][1..<3]
    }
    #expect(result.says("The range lies inside the slice."))
  }
}
