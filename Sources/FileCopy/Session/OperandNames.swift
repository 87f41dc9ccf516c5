import IOChannelsSystem

/// Taking paths apart as they were written.
enum OperandNames {
  private static let slash = UInt8(ascii: "/")

  /// The directory a path stands in, with its slashes, and the last name, with those behind it.
  ///
  /// The directory is empty when the path has no slash before its last name.
  static func split(_ path: BytePath) -> (directory: BytePath, name: BytePath) {
    let bytes = path.bytes
    let end = bytes.lastIndex { $0 != slash } ?? bytes.startIndex
    let cut = bytes[..<end].lastIndex(of: slash).map { $0 + 1 } ?? bytes.startIndex
    return (BytePath(bytes: bytes[..<cut]), BytePath(bytes: bytes[cut...]))
  }

  /// The names on a path; slashes at its start stay with the first one.
  static func components(_ path: BytePath) -> [BytePath] {
    let parts = path.bytes.split(separator: slash)
    guard let first = parts.first, path.isAbsolute else { return parts.map { BytePath(bytes: $0) } }
    return [BytePath(bytes: [slash] + first)] + parts.dropFirst().map { BytePath(bytes: $0) }
  }

  /// Whether the last name stands for a directory itself or the one above.
  static func isDot(_ path: BytePath) -> Bool {
    let parts = split(path).name.bytes.split(separator: slash)
    return parts.first.map { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) } ?? false
  }

  /// Whether the last name stands for the directory above.
  static func isParent(_ path: BytePath) -> Bool {
    let parts = split(path).name.bytes.split(separator: slash)
    return parts.first?.elementsEqual("..".utf8) ?? false
  }

  /// The name that a source gets in a directory: its last one, without slashes behind it.
  static func nameInDirectory(of source: BytePath) -> BytePath {
    let name = split(source).name.bytes
    let end = name.lastIndex { $0 != slash }
    guard let end else { return "." }
    let bare = name[...end]
    // The directory above cannot be made inside another one; its content can.
    return bare.elementsEqual("..".utf8) ? "." : BytePath(bytes: bare)
  }
}
