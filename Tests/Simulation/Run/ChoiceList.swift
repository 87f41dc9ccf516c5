/// The decisions of one run of many that differ in one decision each, until all were tried.
///
/// Every decision is written down with the number of its possibilities. The next run makes the same
/// ones but for the last that has a possibility left, as if the list were a number that counts up.
package final class ChoiceList: StepGenerator {
  private struct Choice {
    var value: Int
    let bound: Int
  }

  /// Of more possibilities than this only the first and the last are tried.
  private static let width = 16

  private var choices: [Choice]
  private let unusualLimit: Int
  private var place = 0
  private var unusualCount = 0
  /// Set when nothing is left to be decided: then everything goes its usual way.
  var isOver = false

  /// The decisions as text, which a list can be made of.
  package var text: String { choices.map { "\($0.value)" }.joined(separator: ",") }

  /// Makes the first list, or the one that begins with some decisions.
  ///
  /// - Parameters:
  ///   - first: What the list begins with.
  ///   - unusualLimit: How many unlikely things happen in a run, faults above all.
  package init(_ first: [Int], unusualLimit: Int) {
    choices = first.map { Choice(value: $0, bound: $0 + 1) }
    self.unusualLimit = unusualLimit
    super.init(seed: 0, step: 0)
  }

  /// Goes on to the next list.
  ///
  /// - Returns: Whether there is one.
  package func advance() -> Bool {
    (place, unusualCount, isOver) = (0, 0, false)
    while let last = choices.popLast() {
      guard last.value + 1 < last.bound else { continue }
      choices.append(Choice(value: last.value + 1, bound: last.bound))
      return true
    }
    return false
  }

  override func begin(_ step: Int) {}

  package override func number(below bound: Int) -> Int {
    if isOver || bound < 2 { return 0 }
    let count = bound > Self.width ? 2 : bound
    if place == choices.count { choices.append(Choice(value: 0, bound: count)) }
    defer { place += 1 }
    let value = choices[place].value
    return count < bound && value == 1 ? bound - 1 : min(value, bound - 1)
  }

  /// The likelier answer, or the other one if that is still allowed.
  package override func chance(percent: Int) -> Bool {
    let usual = percent > 50
    guard percent > 0, percent < 100, unusualCount < unusualLimit, number(below: 2) == 1 else {
      return usual
    }
    unusualCount += 1
    return !usual
  }

  /// Each of the useful places once.
  override func place(in count: Int, where isUseful: (Int) -> Bool) -> Int? {
    let useful = (0..<count).filter(isUseful)
    return useful.isEmpty ? nil : element(of: useful)
  }
}
