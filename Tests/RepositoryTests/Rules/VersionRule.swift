/// The change log's top entry names the version.
enum VersionRule {
  /// The version of the first heading `## 1.2.3…`.
  static func top(of changeLog: SourceFile) -> String? {
    guard let heading = changeLog.lines.first(where: { $0.hasPrefix("## ") }) else { return nil }
    return heading.split(separator: " ").dropFirst().first.map(String.init)
  }

  /// The version in the first line of what `--version` prints: its last word.
  static func printed(_ text: String) -> String? {
    text.split(separator: "\n").first?.split(separator: " ").last.map(String.init)
  }
}
