import Foundation

/// Compares two files where one of them has data, so that holes take neither time nor memory.
struct FileComparison {
  // Constants that Swift's Glibc module lacks.
  private static let seekData: Int32 = 3
  private static let seekHole: Int32 = 4

  private let one: Int32
  private let other: Int32
  private var bytes = ([UInt8](repeating: 0, count: 1 << 20), [UInt8](repeating: 0, count: 1 << 20))

  /// Whether two files have the same length and bytes.
  static func areEqual(_ one: String, _ other: String) throws -> Bool {
    let (first, second) = (open(one, O_RDONLY | O_CLOEXEC), open(other, O_RDONLY | O_CLOEXEC))
    guard first >= 0, second >= 0 else { throw CommandFailure(description: "error \(errno)") }
    defer {
      close(first)
      close(second)
    }
    let length = lseek(first, 0, SEEK_END)
    guard length == lseek(second, 0, SEEK_END) else { return false }
    var comparison = FileComparison(one: first, other: second)
    for file in [first, second] {
      var place = lseek(file, 0, Self.seekData)
      while place >= 0 {
        let end = lseek(file, place, Self.seekHole)
        guard try comparison.isEqual(place..<max(place, end)) else { return false }
        place = lseek(file, end, Self.seekData)
      }
      guard errno == ENXIO else { throw CommandFailure(description: "error \(errno)") }
    }
    return true
  }

  private init(one: Int32, other: Int32) {
    self.one = one
    self.other = other
  }

  private mutating func isEqual(_ range: Range<off_t>) throws -> Bool {
    var place = range.lowerBound
    while place < range.upperBound {
      let count = min(1 << 20, Int(range.upperBound - place))
      guard pread(one, &bytes.0, count, place) == count,
        pread(other, &bytes.1, count, place) == count
      else { throw CommandFailure(description: "error \(errno)") }
      if bytes.0.prefix(count) != bytes.1.prefix(count) { return false }
      place += off_t(count)
    }
    return true
  }
}
