import DataRegions
import Testing

@Suite("Copies of bytes")
struct CopyTests {
  private let whole = buffer([0, 1, 2], [3], [4, 5])

  @Test("All bytes are copied")
  func allBytesAreCopied() {
    #expect(whole.copied(room: 6) == (6, [0, 1, 2, 3, 4, 5]))
  }

  @Test("Memory after the copied bytes is not changed")
  func roomBehindTheBytesIsLeftAlone() {
    #expect(whole.copied(room: 8) == (6, [0, 1, 2, 3, 4, 5, 99, 99]))
  }

  @Test("A short destination receives the first bytes")
  func aShortTargetTakesTheFirstBytes() {
    #expect(whole.copied(room: 4) == (4, [0, 1, 2, 3]))
    #expect(whole.copied(room: 2, from: 1..<6) == (2, [1, 2]))
    #expect(whole.copied(room: 0) == (0, []))
  }

  @Test("A range is copied")
  func aRangeIsCopied() {
    #expect(whole.copied(room: 6, from: 2..<5) == (3, [2, 3, 4, 99, 99, 99]))
    #expect(whole.copied(room: 2, from: 3..<3) == (0, [99, 99]))
    #expect(whole.copied(room: 2, from: 6..<6) == (0, [99, 99]))
  }

  @Test("A range of many regions is copied")
  func aRangeOfManyRegionsIsCopied() {
    let many = singleBytes(3000)
    let target = many.copied(room: 1000, from: 1500..<2500)
    #expect(target.count == 1000)
    #expect(target.bytes == (1500..<2500).map { UInt8(truncatingIfNeeded: $0) })
  }

  @Test("A span is filled")
  func aSpanIsFilled() {
    var target: [UInt8] = [9, 9, 9]
    let count = whole.copy(over: &target, from: 2..<4)
    #expect(count == 2)
    #expect(target == [2, 3, 9])
  }
}
