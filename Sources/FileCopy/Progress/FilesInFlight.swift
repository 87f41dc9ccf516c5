/// The files that are being copied, in the order in which their copies began.
///
/// There are at most as many as threads of the copy.
struct FilesInFlight<File: Sendable>: Sendable {
  private var files: [(number: UInt64, file: File)] = []
  private var next: UInt64 = 0

  /// The file whose copy began first.
  var first: File? { files.first?.file }

  /// Adds a file and returns its number.
  mutating func begin(_ file: File) -> UInt64 {
    next += 1
    files.append((next, file))
    return next
  }

  /// Removes the file with a number.
  mutating func end(_ number: UInt64) {
    files.removeAll { $0.number == number }
  }
}
