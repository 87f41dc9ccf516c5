/// The files and folders that are not rewritten in plain English yet.
enum ProseExemptions {
  /// The length of the list, which only gets shorter.
  static let count = 2

  static let paths = [
    "Sources/FileCopy/",
    "Sources/fastcp/",
  ]

  /// Returns whether a file stands on the list, by itself or by its folder.
  static func contains(_ path: String) -> Bool { paths.contains(where: path.hasPrefix) }
}
