/// The graph of modules is the one that ARCHITECTURE.md shows.
enum LayerRule {
  /// A row of the table of modules.
  struct Module: Equatable {
    let name: String
    let layer: Int
    let imports: Set<String>
  }

  /// What every module may import: the language's own library and the C library.
  static let everywhere: Set<String> = ["Swift", "Synchronization", "Glibc"]

  /// The bridges, each with the foreign module that it alone may import.
  static let bridges = [
    "DataRegionsFoundation": "FoundationEssentials",
    "DispatchInterop": "Dispatch",
  ]

  /// Reads the rows `| layer | module | what | imports |`; names stand in backquotes.
  static func modules(in document: SourceFile) -> [Module] {
    document.lines.compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmed }
      guard cells.count == 4, let layer = Int(cells[0]), let name = quoted(in: cells[1]).first
      else { return nil }
      return Module(name: name, layer: layer, imports: Set(quoted(in: cells[3])))
    }
  }

  /// Everything between pairs of backquotes.
  static func quoted(in text: String) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.offset % 2 == 1 ? String($0.element) : nil }
  }

  /// Modules import lower layers and earlier rows of their own layer, so there is no circle.
  static func violations(in modules: [Module]) -> [String] {
    var found: [String] = []
    for (row, module) in modules.enumerated() {
      for name in module.imports.sorted() {
        guard let importedRow = modules.firstIndex(where: { $0.name == name }) else {
          found.append("\(module.name) imports \(name), which is not in the table")
          continue
        }
        let layer = modules[importedRow].layer
        if layer > module.layer || layer == module.layer && importedRow >= row {
          found.append("\(module.name) imports \(name), which is not below it")
        }
      }
    }
    return found
  }

  /// What a source file imports beyond what the table allows.
  static func violations(in file: SourceFile, modules: [Module]) -> [String] {
    guard let module = modules.first(where: { $0.name == file.module }) else {
      return ["\(file.path): the module \(file.module) is not in the table"]
    }
    return imports(of: file).compactMap { index, name in
      module.imports.contains(name) || everywhere.contains(name) || bridges[module.name] == name
        ? nil : "\(file.place(index)): imports \(name)"
    }
  }

  /// The line and the module of each import.
  static func imports(of file: SourceFile) -> [(line: Int, module: String)] {
    file.code.enumerated().compactMap { index, line in
      var words = line.split(separator: " ").map(String.init)
      while let first = words.first, first != "import" {
        guard first.hasPrefix("@") || accessLevels.contains(first) else { return nil }
        words.removeFirst()
      }
      guard words.count >= 2 else { return nil }
      let kinds = ["struct", "class", "enum", "func", "protocol", "typealias", "var", "let"]
      let full = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
      return (index, String(full.prefix { $0 != "." }))
    }
  }

  private static let accessLevels: Set<String> = [
    "public", "package", "internal", "fileprivate", "private",
  ]

  /// The targets of the manifest that are in Sources, with what they depend on.
  static func targets(in manifest: SourceFile) -> [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    let starts = [".target(", ".executableTarget(", ".systemLibrary("]
    var text = ""
    var depth = 0
    for line in manifest.lines {
      if depth == 0 {
        guard let start = starts.first(where: { line.trimmed.hasPrefix($0) }) else { continue }
        text = String(line.trimmed.dropFirst(start.count - 1))
      } else {
        text += line
      }
      depth = text.reduce(0) { $0 + ($1 == "(" ? 1 : $1 == ")" ? -1 : 0) }
      if depth > 0 { continue }
      depth = 0
      let names = strings(in: text, after: "name:", until: ",")
      guard let name = names.first, !text.contains("path:") else { continue }
      found[name] = Set(strings(in: text, after: "dependencies:", until: "]"))
    }
    return found
  }

  /// The string literals between a label and the first `end` behind it.
  private static func strings(in text: String, after label: String, until end: Character)
    -> [String]
  {
    guard let start = text.firstRange(of: label) else { return [] }
    return text[start.upperBound...].prefix { $0 != end }
      .split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.offset % 2 == 1 ? String($0.element) : nil }
  }
}

extension StringProtocol {
  /// The text without blanks at both ends.
  var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace ?? false { rest = rest.dropFirst() }
    while rest.last?.isWhitespace ?? false { rest = rest.dropLast() }
    return String(rest)
  }
}
