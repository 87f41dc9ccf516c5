/// What a run of one seed has to tell: what it met, and the first invariant that did not hold.
final class Report {
  private(set) var failure: String?
  private(set) var counts = [Int](repeating: 0, count: Mark.allCases.count)
  var operations = 0

  func count(_ mark: Mark) {
    counts[mark.rawValue] += 1
  }

  /// Whether a mark was met.
  func has(_ mark: Mark) -> Bool { counts[mark.rawValue] > 0 }

  /// Notes a failure unless a condition holds; the first one counts.
  func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition, failure == nil { failure = message() }
  }
}
