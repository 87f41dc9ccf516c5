/// One report of the kernel about a watched file.
struct FileNotification: Equatable, Sendable {
  let watch: Int32
  let notices: FileNotices
  /// Whether the report is about a name in a watched directory, and not about the file itself.
  let hasName: Bool
}

/// The reports in bytes that were read from the kernel's queue.
///
/// A record is the watch (4 bytes), the notices (4), a cookie (4), the length of the name (4) and
/// the name, filled up with zeros. The sequence ends at the first record that is not complete.
struct FileNotifications: Sequence, IteratorProtocol {
  private static let headerLength = 16
  private let bytes: [UInt8]
  private let end: Int
  private var position = 0

  /// Creates the sequence of the records in the first `count` bytes.
  init(_ bytes: [UInt8], count: Int) {
    self.bytes = bytes
    end = Swift.min(Swift.max(0, count), bytes.count)
  }

  mutating func next() -> FileNotification? {
    guard end - position >= Self.headerLength else { return nil }
    let length = Int(word(12))
    guard length <= end - position - Self.headerLength else { return nil }
    defer { position += Self.headerLength + length }
    return FileNotification(
      watch: Int32(bitPattern: word(0)),
      notices: FileNotices(rawValue: word(4)),
      hasName: length > 0 && bytes[position + Self.headerLength] != 0
    )
  }

  /// Returns the number at an offset of the current record, in the machine's order of bytes.
  private func word(_ offset: Int) -> UInt32 {
    var value: UInt32 = 0
    for index in (0..<4).reversed() {
      value = value << 8 | UInt32(bytes[position + offset + index])
    }
    return UInt32(littleEndian: value)
  }
}
