import DataRegionsFoundation
import Testing

/// Each misuse stops the program with a sentence.
@Suite struct MisuseTests {
  private func message(_ content: [UInt8]?) -> String {
    String(decoding: content ?? [], as: UTF8.self)
  }

  @Test func aSearchBeyondTheEnd() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = DataBuffer([1, 2, 3]).firstRange(of: Data([9]), in: 1..<4)
    }
    let text = message(result?.standardErrorContent)
    #expect(text.contains("The range lies inside the buffer."))
  }

  @Test func aSearchBehindASlice() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = DataBuffer([1, 2, 3])[..<2].lastRange(of: Data([9]), in: 1..<3)
    }
    let text = message(result?.standardErrorContent)
    #expect(text.contains("The range lies inside the slice."))
  }

  @Test func aSearchBeforeTheStart() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = DataBuffer([1, 2, 3]).regions[0].lastRange(of: Data([9]), in: -1..<2)
    }
    let text = message(result?.standardErrorContent)
    #expect(text.contains("The range lies inside the buffer."))
  }
}
