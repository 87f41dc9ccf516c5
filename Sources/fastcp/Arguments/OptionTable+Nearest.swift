/// The option that a misspelt name means.
extension OptionTable {
  /// Returns the name from which another one differs least; nil if none resembles it.
  ///
  /// A third of the letters may differ.
  static func name(near typed: String) -> String? {
    let letters = Array(typed.utf8)
    let found = rows.compactMap(\.name).compactMap { name -> (name: String, distance: Int)? in
      let other = Array(name.utf8)
      let limit = max(letters.count, other.count) / 3
      // The difference of the lengths is the least distance, and long names need no comparison.
      guard abs(letters.count - other.count) <= limit else { return nil }
      let distance = distance(letters, other)
      return distance <= limit ? (name, distance) : nil
    }
    return found.min { $0.distance < $1.distance }?.name
  }

  /// Returns the number of letters to insert, remove, replace or swap with the next one.
  private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var older = [Int](repeating: 0, count: other.count + 1)
    var last = Array(0...other.count)
    for row in one.indices {
      var next = [row + 1]
      for column in other.indices {
        let isSame = one[row] == other[column]
        var least = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
          least = min(least, older[column - 1] + 1)
        }
        next.append(least)
      }
      (older, last) = (last, next)
    }
    return last[other.count]
  }
}
