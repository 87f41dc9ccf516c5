/// The shape of a tree, apart from the number of its files.
struct TreeShape: CustomStringConvertible {
  /// Lengths are below 2 to this power, all orders of magnitude alike.
  let bits: Int
  /// Files for each directory.
  let spread: Int
  /// The percentage of directories that lie in the one before them.
  let deep: Int
  /// The percentage of hard links, and of symbolic links.
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
