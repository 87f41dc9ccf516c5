/// A set of bytes, such as a character class of a pattern.
struct ByteSet: Hashable, Sendable {
  private var words: [UInt64] = [0, 0, 0, 0]

  func contains(_ byte: UInt8) -> Bool {
    (words[Int(byte >> 6)] >> UInt64(byte & 63)) & 1 == 1
  }

  mutating func insert(_ byte: UInt8) {
    words[Int(byte >> 6)] |= 1 << UInt64(byte & 63)
  }

  mutating func insert(_ range: ClosedRange<UInt8>) {
    for byte in range { insert(byte) }
  }

  /// Inserts the bytes of a named class, such as `digit`.
  ///
  /// - Returns: False if there is no class of this name.
  mutating func insert(classNamed name: ArraySlice<UInt8>) -> Bool {
    guard let ranges = ByteSet.classes[String(decoding: name, as: UTF8.self)] else { return false }
    for range in ranges { insert(range) }
    return true
  }

  mutating func remove(_ byte: UInt8) {
    words[Int(byte >> 6)] &= ~(1 << UInt64(byte & 63))
  }

  /// Replaces the set by the bytes that it lacks.
  mutating func invert() {
    for index in words.indices { words[index] = ~words[index] }
  }

  /// The named classes with the bytes that git gives them, in every locale.
  private static let classes: [String: [ClosedRange<UInt8>]] = [
    "alnum": [0x30...0x39, 0x41...0x5A, 0x61...0x7A],
    "alpha": [0x41...0x5A, 0x61...0x7A],
    "blank": [0x09...0x09, 0x20...0x20],
    "cntrl": [0x00...0x1F, 0x7F...0x7F],
    "digit": [0x30...0x39],
    "graph": [0x21...0x7E],
    "lower": [0x61...0x7A],
    "print": [0x20...0x7E],
    "punct": [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E],
    "space": [0x09...0x0A, 0x0D...0x0D, 0x20...0x20],
    "upper": [0x41...0x5A],
    "xdigit": [0x30...0x39, 0x41...0x46, 0x61...0x66],
  ]
}
