import IOChannelsTestSupport
import Testing

@testable import IOChannelsLocks

@Suite("First-in, first-out list")
struct FirstInFirstOutTests {
  /// Grows from every starting place in the ring.
  @Test("The order is kept while the list grows", arguments: 0..<16) func keepsTheOrderOverGrowth(
    start: Int
  ) {
    var ring = FirstInFirstOut<Int>()
    // A single element has a place of its own beside the ring.
    ring.append(-1)
    for number in 0..<start {
      ring.append(number)
      let taken = ring.popFirst()
      #expect(taken == number - 1)
    }
    for number in start..<100 { ring.append(number) }
    #expect(ring.count == 101 - start)
    for number in start - 1..<100 {
      let taken = ring.popFirst()
      #expect(taken == number)
    }
    let none = ring.popFirst()
    #expect(none == nil && ring.isEmpty)
  }

  @Test("A list equals an array whose first elements are removed")
  func isAnArrayThatIsTakenFromTheFront() {
    var generator = SeededGenerator()
    var ring = FirstInFirstOut<Int>()
    var model: [Int] = []
    for number in 0..<20_000 {
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<8:
        ring.append(number)
        model.append(number)
      case 8..<10:
        ring.prepend(number)
        model.insert(number, at: 0)
      case 10..<18:
        let taken = ring.popFirst()
        #expect(taken == (model.isEmpty ? nil : model.removeFirst()))
      case 18:
        let taken = ring.removeFirst { $0 % 7 == 0 }
        let index = model.firstIndex { $0 % 7 == 0 }
        #expect(taken == index.map { model.remove(at: $0) })
      default:
        let taken = ring.removeAll { $0 % 3 == 0 }
        #expect(taken == model.filter { $0 % 3 == 0 })
        model.removeAll { $0 % 3 == 0 }
      }
      #expect(ring.count == model.count && ring.first == model.first)
      #expect(ring.contains { $0 % 5 == 0 } == model.contains { $0 % 5 == 0 })
    }
  }
}
