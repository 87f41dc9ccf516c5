/// A path as the kernel sees it: bytes without a zero byte.
///
/// Names need not be UTF-8. Equality and hashing compare bytes.
public struct BytePath: Hashable, Sendable {
  /// The bytes and a zero byte behind them, so that no call needs a copy.
  let terminated: [UInt8]

  /// Takes over bytes whose last one is their only zero.
  init(terminated: [UInt8]) {
    self.terminated = terminated
  }

  /// Makes a path of bytes; everything from the first zero byte on is left out.
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

  /// Makes a path of a string's UTF-8 bytes.
  public init(_ string: String) {
    self.init(bytes: string.utf8)
  }

  /// The bytes of the path.
  public var bytes: ArraySlice<UInt8> { terminated.dropLast() }

  /// Whether there are no bytes.
  public var isEmpty: Bool { terminated.count == 1 }

  /// Whether the path starts at the root.
  public var isAbsolute: Bool { terminated[0] == UInt8(ascii: "/") }

  /// The path of `name` inside this directory.
  ///
  /// An empty path adds no slash.
  public func appending(_ name: BytePath) -> BytePath {
    guard let last = bytes.last else { return name }
    let slash: [UInt8] = last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    return BytePath(bytes: bytes + slash + name.bytes)
  }
}

extension BytePath: ExpressibleByStringLiteral {
  /// Makes a path of a literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension BytePath: CustomStringConvertible {
  /// The path as text; bytes that are not UTF-8 are replaced.
  ///
  /// Control characters are kept: do not print it to a terminal as it is.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
