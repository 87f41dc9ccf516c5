import IOChannelsTestSupport
import Testing

@testable import IOChannelsLocks

@Suite("Short list")
struct ShortListTests {
  @Test("A list equals an array")
  func isAnArray() {
    var generator = SeededGenerator()
    var list = ShortList<Int>()
    var model: [Int] = []
    for number in 0..<20_000 {
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<10:
        list.append(number)
        model.append(number)
      case 10..<17 where !model.isEmpty:
        let index = Int.random(in: 0..<model.count, using: &generator)
        list.remove(at: index)
        model.remove(at: index)
      case 17..<19 where !model.isEmpty:
        let index = Int.random(in: 0..<model.count, using: &generator)
        list[index] = number
        model[index] = number
      case 19:
        list.removeAll()
        model.removeAll()
      default: break
      }
      #expect(Array(list) == model)
    }
  }

  @Test("Removed elements are released", arguments: 0...5) func letsGoOfWhatIsTakenOut(count: Int) {
    weak var last: Thing?
    var list = ShortList<Thing>()
    for _ in 0...count {
      let thing = Thing()
      list.append(thing)
      last = thing
    }
    #expect(last != nil)
    list.remove(at: count)
    #expect(last == nil && list.count == count)
  }

  @Test("Elements are taken in order")
  func takesElements() {
    var list = ShortList<[Int]>()
    for number in 0...5 { list.append([number]) }
    #expect(list.indices.map { list.take(at: $0) } == (0...5).map { [$0] })
  }

  @Test("A taken element of the first three is released", arguments: 0...2)
  func releasesTaken(index: Int) {
    weak var taken: Thing?
    var list = ShortList<Thing>()
    for number in 0...2 {
      let thing = Thing()
      list.append(thing)
      if number == index { taken = thing }
    }
    #expect(taken != nil)
    _ = list.take(at: index)
    #expect(taken == nil && list.count == 3)
  }

  @Test("Elements are changed in place", arguments: 0...5)
  func changesInPlace(index: Int) {
    var list = ShortList<[Int]>()
    for number in 0...5 { list.append([number]) }
    list.change(at: index) { $0.append(7) }
    #expect(Array(list) == (0...5).map { $0 == index ? [$0, 7] : [$0] })
  }

  private final class Thing {}
}
