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
