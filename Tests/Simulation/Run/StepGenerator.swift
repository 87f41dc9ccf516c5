/// The numbers of one step, all made of the seed and the number of the step.
///
/// Steps do not share numbers, so that a run that leaves some out draws the same in the others.
package class StepGenerator {
  private let seed: UInt64
  private var state: UInt64 = 0

  init(seed: UInt64, step: Int) {
    self.seed = seed
    begin(step)
  }

  func begin(_ step: Int) {
    state = seed &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(bitPattern: Int64(step)) &* 0xd134_2543_de82_ef95
    _ = next()
  }

  func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }

  /// A number from 0 up to, and without, `bound`, which is at least 1.
  package func number(below bound: Int) -> Int {
    Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(bound)) >> 32)
  }

  final func number(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + number(below: range.count)
  }

  package func chance(percent: Int) -> Bool {
    number(below: 100) < percent
  }

  /// A place below `count` if that is useful, else nil.
  func place(in count: Int, where isUseful: (Int) -> Bool) -> Int? {
    let place = number(below: count)
    return isUseful(place) ? place : nil
  }

  final func element<Element>(of elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }
}
