/// A path as the kernel takes it: bytes without a zero byte.
///
/// Names need not be UTF-8. Equality and hashing compare bytes.
public struct BytePath: Hashable, Sendable {
  /// The bytes with a terminating zero, so that no call needs a copy.
  var terminated: [UInt8]

  /// Creates a path from bytes whose only zero is the last one.
  init(terminated: [UInt8]) {
    self.terminated = terminated
  }

  /// Creates a path from the bytes before the first zero byte.
  public init(bytes: some Sequence<UInt8>) {
    var content: [UInt8] = []
    content.reserveCapacity(bytes.underestimatedCount + 1)
    for byte in bytes {
      if byte == 0 { break }
      content.append(byte)
    }
    content.append(0)
    terminated = content
  }

  /// Creates a path from the bytes before the first zero byte.
  public init(bytes: ArraySlice<UInt8>) {
    // In other modules the generic initializer takes each byte through a witness table.
    var content: [UInt8] = []
    content.reserveCapacity(bytes.count + 1)
    content.append(contentsOf: bytes.prefix { $0 != 0 })
    content.append(0)
    terminated = content
  }

  /// Creates a path from a string's UTF-8 bytes.
  public init(_ string: String) {
    self.init(bytes: string.utf8)
  }

  /// The bytes of the path.
  public var bytes: ArraySlice<UInt8> { terminated.dropLast() }

  /// Whether the path has no bytes.
  public var isEmpty: Bool { terminated.count == 1 }

  /// Whether the path starts with a slash.
  public var isAbsolute: Bool { terminated[0] == UInt8(ascii: "/") }

  /// Returns the path of `name` inside this directory.
  ///
  /// An empty path adds no slash.
  public func appending(_ name: BytePath) -> BytePath {
    guard let last = bytes.last else { return name }
    let slash: [UInt8] = last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    return BytePath(bytes: bytes + slash + name.bytes)
  }
}

extension BytePath {
  /// The last component of the path, without slashes; nil for an empty path and for the root.
  ///
  /// It may be `.` or `..`. Slashes at the end of the path have no effect.
  ///
  /// - Complexity: O(n) for n bytes
  public var lastComponent: BytePath? {
    lastPlace.map { BytePath(bytes: bytes[$0]) }
  }

  /// Returns the path before its last component, without slashes at the end.
  ///
  /// The result for `/a` is the root, and that for `a` is empty. A path without components is
  /// returned unchanged.
  ///
  /// - Complexity: O(n) for n bytes
  public func removingLastComponent() -> BytePath {
    guard let place = lastPlace else { return self }
    let before = bytes[..<place.lowerBound]
    let slash = UInt8(ascii: "/")
    guard let end = before.lastIndex(where: { $0 != slash }) else { return isAbsolute ? "/" : "" }
    return BytePath(bytes: before[...end])
  }

  /// The place of the last component among the bytes.
  private var lastPlace: Range<Int>? {
    let slash = UInt8(ascii: "/")
    guard let last = bytes.lastIndex(where: { $0 != slash }) else { return nil }
    let start = bytes[..<last].lastIndex(of: slash).map { $0 + 1 } ?? bytes.startIndex
    return start..<(last + 1)
  }
}

extension BytePath: ExpressibleByStringLiteral {
  /// Creates a path from a literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension BytePath: CustomStringConvertible {
  /// The path as text, in which invalid UTF-8 is replaced.
  ///
  /// Control characters stay in the text, so it should not be printed to a terminal unchanged.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
