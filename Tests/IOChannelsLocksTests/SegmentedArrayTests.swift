import IOChannelsTestSupport
import Testing

@testable import IOChannelsLocks

@Suite("Segmented array")
struct SegmentedArrayTests {
  @Test("A list equals an array")
  func isAnArray() {
    var generator = SeededGenerator()
    var array = SegmentedArray<Int>()
    var model: [Int] = []
    for number in 0..<2_000 {
      array.append(number)
      model.append(number)
      let place = Int.random(in: 0...number, using: &generator)
      array[place] += 1_000_000
      model[place] += 1_000_000
    }
    #expect(array.count == model.count)
    #expect((0..<array.count).map { array[$0] } == model)
  }

  @Test("Copies do not change each other")
  func copiesDoNotChangeEachOther() {
    var array = SegmentedArray<Int>()
    for number in 0..<600 { array.append(number) }
    var copy = array
    copy[500] = -1
    copy.append(600)
    #expect(array[500] == 500 && array.count == 600)
    #expect(copy[500] == -1 && copy[600] == 600 && copy.count == 601)
  }
}
