import SystemCalls

/// The names that files have until they are complete, where they cannot be without.
///
/// All begin alike and are equally long, so that what a copy left that was killed can be told from
/// files of the user's; and they are short, so that they fit beside any other name.
enum HiddenNames {
  private static let prefix = ".fastcp-"
  private static let digits = 13

  /// The name with a number.
  static func name(_ number: UInt64) -> FilePath {
    let text = String(number, radix: 36)
    return FilePath(prefix + String(repeating: "0", count: digits - text.count) + text)
  }

  /// Whether a name is one of those.
  static func contain(_ name: FilePath) -> Bool {
    let bytes = name.bytes
    return bytes.count == prefix.utf8.count + digits && bytes.starts(with: prefix.utf8)
      && bytes.dropFirst(prefix.utf8.count).allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      }
  }
}
