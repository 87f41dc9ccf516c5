import IOChannelsSystem

/// The data of all programs that waits in memory to be written.
enum UnwrittenMemory {
  /// The lines of `/proc/meminfo` that count it.
  private static let names = ["Dirty", "Writeback"]

  /// The number of bytes; nil without `/proc`.
  static var byteCount: Int64? {
    var text = [UInt8](repeating: 0, count: 16 << 10)
    guard let file = try? BorrowedDescriptor.workingDirectory.open("/proc/meminfo", []),
      let count = try? file.borrowed.read(into: &text)
    else { return nil }
    return byteCount(in: String(decoding: text.prefix(count), as: UTF8.self))
  }

  /// Returns the number of bytes in the text of `/proc/meminfo`; nil if it has no such lines.
  static func byteCount(in text: String) -> Int64? {
    var (sum, isFound): (Int64, Bool) = (0, false)
    for line in text.split(separator: "\n") {
      let words = line.split { $0 == " " || $0 == ":" }
      guard words.count == 3, names.contains(String(words[0])), words[2] == "kB",
        let number = Int64(words[1]), number >= 0
      else { continue }
      sum.grow(by: min(number, 1 << 50) * 1024)
      isFound = true
    }
    return isFound ? sum : nil
  }
}
