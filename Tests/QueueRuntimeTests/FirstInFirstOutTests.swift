import Testing

@testable import QueueRuntime

@Suite struct FirstInFirstOutTests {
  /// Grows from every starting place in the ring.
  @Test(arguments: 0..<16) func keepsTheOrderOverGrowth(start: Int) {
    var ring = FirstInFirstOut<Int>()
    for number in 0..<start {
      ring.append(number)
      let taken = ring.popFirst()
      #expect(taken == number)
    }
    for number in 0..<100 { ring.append(number) }
    #expect(ring.count == 100)
    for number in 0..<100 {
      let taken = ring.popFirst()
      #expect(taken == number)
    }
    let none = ring.popFirst()
    #expect(none == nil && ring.isEmpty)
  }
}
