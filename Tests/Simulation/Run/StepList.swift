/// Steps of a seed as text: `0-4,7,9-11`.
package struct StepList: Equatable, Sendable {
  package let steps: [Int]

  /// Wraps the numbers, which ascend.
  package init(_ steps: [Int]) {
    self.steps = steps
  }

  /// Reads a list; `nil` for other texts.
  package init?(_ text: String) {
    var steps: [Int] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: true) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
        first >= 0, first <= last, first > steps.last ?? -1
      else { return nil }
      steps += first...last
    }
    self.init(steps)
  }

  /// The text that is read back as this list.
  package var text: String {
    var parts: [String] = []
    var index = 0
    while index < steps.count {
      var end = index
      while end + 1 < steps.count, steps[end + 1] == steps[end] + 1 { end += 1 }
      parts.append(end == index ? "\(steps[index])" : "\(steps[index])-\(steps[end])")
      index = end + 1
    }
    return parts.joined(separator: ",")
  }
}
