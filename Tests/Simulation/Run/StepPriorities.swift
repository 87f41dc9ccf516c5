/// Which kind of step comes first, whenever it may be taken.
///
/// The kinds begin in a random order. At a few random steps the first of them becomes the last: a
/// defect that needs few such changes is met with a probability that does not fall with the length
/// of the run.
final class StepPriorities {
  /// The kinds of steps, without the one that does nothing.
  private static let kinds = 6

  private var order: [Int]
  private let changes: [Int]

  init(seed: UInt64, steps: Int, changes count: Int) {
    let random = StepGenerator(seed: seed, step: -2)
    var kinds = Array(0..<Self.kinds)
    order = []
    while !kinds.isEmpty { order.append(kinds.remove(at: random.number(below: kinds.count))) }
    changes = (0..<count).map { _ in random.number(below: steps) }
  }

  func begin(_ step: Int) {
    for change in changes where change == step { order.append(order.removeFirst()) }
  }

  /// The first kind that has a weight; the last one, of doing nothing, when none has.
  func first(of weights: [Int]) -> Int {
    order.first { weights[$0] > 0 } ?? Self.kinds
  }
}
