/// The files and folders that are not rewritten in plain English yet.
enum ProseExemptions {
  /// The length of the list, which only gets shorter.
  static let count = 16

  static let paths = [
    "CHANGELOG.md",
    "Documentation/ARCHITECTURE.md",
    "Documentation/BOUNDS.md",
    "Documentation/COPYING.md",
    "Documentation/ENVIRONMENT.md",
    "Documentation/PERFORMANCE.md",
    "Documentation/SEMANTICS.md",
    "Documentation/SETTINGS.md",
    "Documentation/TESTING.md",
    "Documentation/UNSAFE.md",
    "README.md",
    "Sources/FileCopy/",
    "Sources/IOChannels/Operations/",
    "Sources/RequestEngine/",
    "Sources/SystemCalls/",
    "Sources/fastcp/",
  ]

  /// Returns whether a file stands on the list, by itself or by its folder.
  static func contains(_ path: String) -> Bool { paths.contains(where: path.hasPrefix) }
}
