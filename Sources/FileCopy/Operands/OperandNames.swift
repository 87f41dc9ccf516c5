import IOChannelsSystem

/// The components of paths as the user wrote them.
enum OperandNames {
  private static let slash = UInt8(ascii: "/")

  /// Returns the directory of a path and its last name, each with the slashes at its end.
  ///
  /// The directory is empty if the path has no slash before its last name.
  static func split(_ path: BytePath) -> (directory: BytePath, name: BytePath) {
    let bytes = path.bytes
    let end = bytes.lastIndex { $0 != slash } ?? bytes.startIndex
    let cut = bytes[..<end].lastIndex(of: slash).map { $0 + 1 } ?? bytes.startIndex
    return (BytePath(bytes: bytes[..<cut]), BytePath(bytes: bytes[cut...]))
  }

  /// Returns the names on a path. Slashes at its start stay with the first one.
  static func components(_ path: BytePath) -> [BytePath] {
    let parts = path.bytes.split(separator: slash)
    guard let first = parts.first, path.isAbsolute else { return parts.map { BytePath(bytes: $0) } }
    return [BytePath(bytes: [slash] + first)] + parts.dropFirst().map { BytePath(bytes: $0) }
  }

  /// Whether the last name is `.` or `..`.
  static func isDot(_ path: BytePath) -> Bool {
    let parts = split(path).name.bytes.split(separator: slash)
    return parts.first.map { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) } ?? false
  }

  /// Whether the last name is `..`.
  static func isParent(_ path: BytePath) -> Bool {
    let parts = split(path).name.bytes.split(separator: slash)
    return parts.first?.elementsEqual("..".utf8) ?? false
  }

  /// Returns the name of a source in the destination: its last one, without slashes at the end.
  static func nameInDirectory(of source: BytePath) -> BytePath {
    let name = split(source).name.bytes
    let end = name.lastIndex { $0 != slash }
    guard let end else { return "." }
    let bare = name[...end]
    // `..` cannot be created inside a directory; its contents can.
    return bare.elementsEqual("..".utf8) ? "." : BytePath(bytes: bare)
  }
}
