/// Types with at most four extension files and 40 functions, and functions of the copier with at
/// most four parameters of its own types.
enum TypeSizeRule {
  static let extensionLimit = 4
  static let functionLimit = 40
  static let parameterLimit = 4

  /// Public types that have a file for each topic.
  static let exempt: Set<String> = [
    "BorrowedDescriptor", "DataBuffer", "EventSource", "IOChannel", "WorkQueue",
  ]

  /// The files and functions of one type of a module.
  struct TypeSize {
    /// The files that extend the type, without the file that is named after it.
    var extensions: Set<String> = []
    var functions = 0
  }

  /// Returns the types that are too large.
  static func violations(in files: [SourceFile]) -> [String] {
    sizes(in: files).filter { !exempt.contains($0.key.type) }.flatMap { key, size in
      var found: [String] = []
      if size.extensions.count > extensionLimit {
        found.append("\(key.module).\(key.type): \(size.extensions.count) extension files")
      }
      if size.functions > functionLimit {
        found.append("\(key.module).\(key.type): \(size.functions) functions")
      }
      return found
    }
    .sorted()
  }

  /// A type of a module. Nested types count by themselves.
  struct Key: Hashable {
    let module: String
    let type: String
  }

  /// Returns the size of each type that is declared or extended.
  static func sizes(in files: [SourceFile]) -> [Key: TypeSize] {
    var sizes: [Key: TypeSize] = [:]
    for file in files {
      let functions = Set(functionLines(of: file))
      var scopes: [(type: String, depth: Int)] = []
      var pending: String?
      var depth = 0
      for (index, line) in file.code.enumerated() {
        if let (keyword, name) = declaration(on: line) {
          let type = (scopes.map(\.type).suffix(1) + [name]).joined(separator: ".")
          pending = type
          if keyword == "extension" && file.name != name {
            sizes[Key(module: file.module, type: type), default: TypeSize()].extensions
              .insert(file.path)
          }
        } else if functions.contains(index), let scope = scopes.last {
          sizes[Key(module: file.module, type: scope.type), default: TypeSize()].functions += 1
        }
        for character in line {
          if character == "{" {
            if let type = pending { scopes.append((type, depth)) }
            pending = nil
            depth += 1
          } else if character == "}" {
            depth -= 1
            if scopes.last?.depth == depth { scopes.removeLast() }
          }
        }
      }
    }
    return sizes
  }

  private static func functionLines(of file: SourceFile) -> [Int] {
    SizeRule.functions(in: file).map(\.start)
  }

  /// Returns the keyword and the name of a declaration of a type, or of an extension.
  private static func declaration(on line: String) -> (keyword: String, name: String)? {
    let words = line.split(separator: " ").map(String.init)
    guard let index = words.firstIndex(where: keywords.contains), index + 1 < words.count,
      words[..<index].allSatisfy({ modifiers.contains($0) || $0.hasPrefix("@") })
    else { return nil }
    let name = words[index + 1].prefix { isWordByte($0.asciiValue ?? 0) || $0 == "." }
    // `class` is also a modifier.
    return name.isEmpty || name == "func" || name == "var" ? nil : (words[index], String(name))
  }

  private static let keywords: Set<String> = [
    "struct", "class", "enum", "actor", "protocol", "extension",
  ]
  private static let modifiers: Set<String> = [
    "public", "package", "internal", "private", "fileprivate", "final", "indirect", "open",
    "nonisolated",
  ]
}

/// The parameters of the copier's functions.
extension TypeSizeRule {
  /// Returns the functions with too many parameters of types that the files declare.
  static func longParameterLists(in files: [SourceFile]) -> [String] {
    var own: Set<String> = []
    for line in files.flatMap(\.code) {
      if let (keyword, name) = declaration(on: line), keyword != "extension" { own.insert(name) }
    }
    return files.flatMap { file in
      functionLines(of: file).compactMap { start -> String? in
        let count = parameterTypes(from: start, in: file.code).filter(own.contains).count
        return count > parameterLimit
          ? "\(file.place(start)): \(count) parameters of own types" : nil
      }
    }
  }

  /// Returns the first word of the type of each parameter, of the function that begins on a line.
  private static func parameterTypes(from start: Int, in code: [String]) -> [String] {
    var types: [String] = []
    var text = ""
    var depth = 0
    for character in code[start...].prefix(40).joined(separator: "\n") {
      if character == ")" || character == "]" { depth -= 1 }
      if depth == 0 && character == ")" || depth == 1 && character == "," {
        if let type = firstType(of: text) { types.append(type) }
        text = ""
        if character == ")" { break }
      } else if depth >= 1 {
        text.append(character)
      }
      if character == "(" || character == "[" { depth += 1 }
    }
    return types
  }

  private static func firstType(of parameter: String) -> String? {
    let passing: Set<String> = ["inout", "borrowing", "consuming", "any", "some"]
    let type = parameter.split(separator: ":", maxSplits: 1).dropFirst().first?
      .split { $0 == " " || $0 == "\n" }.first { !passing.contains(String($0)) && $0.first != "@" }
    // A function is no value of its parameter's type.
    guard let type, type.first != "(" else { return nil }
    return type.split { !isWordByte($0.asciiValue ?? 0) }.first.map(String.init)
  }
}
