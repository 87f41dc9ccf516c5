import Testing

@testable import IOChannelsLocks

@Suite("Elements of a list in lent memory")
struct LentMemoryTests {
  /// Runs a function with memory for one element.
  private func withMemory<Element>(of type: Element.Type, _ body: (LentMemory) -> Void) {
    let start = UnsafeMutableRawPointer.allocate(
      byteCount: ManyToOneList<Element>.nodeByteCount,
      alignment: 8
    )
    body(unsafe LentMemory(start: start))
    unsafe start.deallocate()
  }

  @Test("Elements in lent memory and in memory of the list keep their order")
  func order() {
    withMemory(of: Int.self) { memory in
      let list = ManyToOneList<Int>()
      var taken: [Int?] = []
      var isFirst = [list.add(1), list.add(2, in: memory), list.add(3)]
      for _ in 0..<2 { taken.append(list.takeFirst()) }
      isFirst.append(list.add(4, in: memory))
      let counts = list.counts
      for _ in 0..<3 { taken.append(list.takeFirst()) }
      let isReleased = list.release()
      #expect(isFirst == [true, false, false, false])
      #expect(taken == [1, 2, 3, 4, nil])
      #expect(counts == (4, 2))
      #expect(isReleased)
    }
  }

  @Test("An element that remains in lent memory is released with the list")
  func remainingElement() {
    final class Token: Sendable {}
    weak var left: Token?
    withMemory(of: Token.self) { memory in
      let list = ManyToOneList<Token>()
      let token = Token()
      left = token
      _ = list.add(token, in: memory)
    }
    #expect(left == nil)
  }
}
