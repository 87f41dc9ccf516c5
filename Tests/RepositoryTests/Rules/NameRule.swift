/// Targets and public types have names that much used packages do not have.
///
/// SwiftPM refuses a graph in which two packages have a target of one name.
enum NameRule {
  /// Returns the names of the targets and products in a manifest.
  static func names(inManifest manifest: SourceFile) -> Set<String> {
    Set(manifest.lines.flatMap { strings(in: $0, after: "name: ") })
  }

  /// Returns the names in a table with a line for each package: `package: name name`.
  static func names(inTable table: SourceFile) -> Set<String> {
    Set(
      table.lines.filter { !$0.hasPrefix("#") }.flatMap { line in
        line.drop { $0 != ":" }.dropFirst().split(separator: " ").map(String.init)
      }
    )
  }

  /// Returns the names that are in both sets, whatever the case of their letters.
  static func collisions(of names: Set<String>, with others: Set<String>) -> [String] {
    let known = Set(others.map { $0.lowercased() })
    return names.filter { known.contains($0.lowercased()) }.sorted()
  }

  /// Returns the public types that a file declares outside of other types.
  static func publicTypes(in file: SourceFile) -> [String] {
    let kinds = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    return file.code.compactMap { line in
      guard line.hasPrefix("public ") else { return nil }
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
      guard let kind = words.firstIndex(where: kinds.contains), kind <= 2, kind + 1 < words.count
      else { return nil }
      return words[kind + 1]
    }
  }

  private static func strings(in line: String, after label: String) -> [String] {
    guard let range = line.firstRange(of: label + "\"") else { return [] }
    return [String(line[range.upperBound...].prefix { $0 != "\"" })]
  }
}
