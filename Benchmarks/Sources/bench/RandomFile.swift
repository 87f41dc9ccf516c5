import Foundation

/// Files of bytes that do not repeat, which no file system can make smaller.
enum RandomFile {
  /// Writes a file, over what is there, always with the same bytes.
  static func write(_ path: String, megabytes: Int) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw CommandFailure(description: "\(path): error \(errno)") }
    defer { close(file) }
    var words = [UInt64](repeating: 0, count: (1 << 20) / 8)
    var numbers = SeededNumbers(state: 0)
    for _ in 0..<megabytes {
      for index in words.indices { words[index] = numbers.next() }
      guard Glibc.write(file, words, 1 << 20) == 1 << 20 else {
        throw CommandFailure(description: "\(path): error \(errno)")
      }
    }
  }
}
