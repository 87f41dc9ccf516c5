/// What a tree looks like, beside how many files it has.
struct TreeShape: CustomStringConvertible {
  /// Lengths are below 2 to this power, all orders of magnitude alike.
  let bits: Int
  /// Files for each directory.
  let spread: Int
  /// How many directories in a hundred hang on the one before them.
  let deep: Int
  /// How many names in a hundred are hard links, and how many symbolic ones.
  let links: Int
  /// Whether one file in 20 is sparse.
  let hasHoles: Bool

  /// Draws a shape: the same seed and number give the same one.
  init(seed: UInt64, number: Int) {
    var generator = SeededNumbers(state: seed &+ UInt64(number) &* 0xA24B_AED4_963E_E407)
    bits = Int.random(in: 10...18, using: &generator)
    spread = Int.random(in: 4...200, using: &generator)
    deep = Int.random(in: 0...80, using: &generator)
    links = Int.random(in: 0...10, using: &generator)
    hasHoles = Bool.random(using: &generator)
  }

  /// The options of `treemake`.
  var options: [String] {
    ["--bits", "\(bits)", "--spread", "\(spread)", "--deep", "\(deep)", "--links", "\(links)"]
      + (hasHoles ? ["--holes"] : [])
  }

  var description: String { options.joined(separator: " ") }
}
