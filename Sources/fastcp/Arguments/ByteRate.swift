import FileCopy

/// A number of bytes in a second, as `--bwlimit` receives it.
enum ByteRate {
  /// The letters of units, from the smallest one.
  private static let letters = ["K", "M", "G", "T", "P"]

  /// Returns the number of bytes; nil if the text is no positive number with an optional unit.
  ///
  /// `K` and `KiB` are 1024 bytes, and `KB` is 1000 bytes. The same holds for `M`, `G`, `T` and
  /// `P`.
  static func parse(_ value: BytePath) -> Int64? {
    let text = value.description
    let digits = text.prefix { ("0"..."9").contains($0) }
    guard let number = Int64(digits), number > 0, let unit = bytes(of: text.dropFirst(digits.count))
    else { return nil }
    let (product, overflows) = number.multipliedReportingOverflow(by: unit)
    return overflows ? nil : product
  }

  /// Returns the number of bytes of a unit; nil if the unit is unknown.
  private static func bytes(of unit: Substring) -> Int64? {
    guard let first = unit.first else { return 1 }
    guard let power = letters.firstIndex(of: first.uppercased()) else { return nil }
    let base: Int64
    switch unit.dropFirst() {
    case "", "iB": base = 1024
    case "B": base = 1000
    default: return nil
    }
    return (0..<power).reduce(base) { product, _ in product * base }
  }
}
