import DataRegionsFoundation
import IOChannelsTestSupport
import Testing

@Suite("Misuse of searches for Data")
struct MisuseTests {
  @Test("A search beyond the end stops the program")
  func aSearchBeyondTheEnd() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = DataBuffer([1, 2, 3]).firstRange(of: Data([9]), in: 1..<4)
    }
    expectMessage("The range lies inside the buffer.", from: result)
  }

  @Test("A search behind a slice stops the program")
  func aSearchBehindASlice() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = DataBuffer([1, 2, 3])[..<2].lastRange(of: Data([9]), in: 1..<3)
    }
    expectMessage("The range lies inside the slice.", from: result)
  }

  @Test("A search before the start stops the program")
  func aSearchBeforeTheStart() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = DataBuffer([1, 2, 3]).regions[0].lastRange(of: Data([9]), in: -1..<2)
    }
    expectMessage("The range lies inside the buffer.", from: result)
  }
}
