/// The declaration behind a doc comment, as far as the rules of prose need it.
struct Declaration: Equatable {
  /// The kind of what is declared.
  enum Kind: Equatable {
    case function
    case initializer
    case subscripting
    case property
    case enumerationCase
    case type
    case other
  }

  var kind = Kind.other
  /// Whether the property or the result of the function is a Boolean.
  var isBoolean = false

  private static let modifiers: Set<String> = [
    "public", "package", "internal", "fileprivate", "private", "open", "static", "final",
    "mutating", "nonmutating", "consuming", "borrowing", "nonisolated", "override", "convenience",
    "required", "lazy", "weak", "unowned", "indirect", "prefix", "postfix", "set", "unsafe",
    "dynamic", "async",
  ]

  /// Reads a declaration from its first lines, which attributes may precede.
  init(lines: some Sequence<String>) {
    var text = ""
    for line in lines.map(\.trimmed) {
      if text.isEmpty && (line.hasPrefix("@") || line.hasPrefix(")") || line.hasPrefix("#")) {
        guard let rest = Declaration.behindAttribute(line) else { continue }
        text = rest
      } else {
        text += " " + line
      }
      if line.isEmpty || line.hasSuffix("{") || line.hasSuffix("}") { break }
      if text.contains("let ") || text.contains("var ") { break }
    }
    let words = text.split { !isWordByte($0.asciiValue ?? 0) }.map(String.init)
    let word = words.first { !Declaration.modifiers.contains($0) } ?? ""
    switch word {
    case "func": kind = .function
    case "init", "deinit": kind = .initializer
    case "subscript": kind = .subscripting
    case "var", "let": kind = .property
    case "case": kind = .enumerationCase
    case "struct", "class", "enum", "protocol", "actor", "typealias", "associatedtype":
      kind = .type
    default: kind = .other
    }
    let head = String(text.prefix { $0 != "{" })
    switch kind {
    case .function, .subscripting:
      isBoolean = head.contains("-> Bool") && !head.contains("-> Bool?")
    case .property:
      let parts = head.split(separator: "=").map { $0.trimmed }
      let type = parts.first?.split(separator: ":", maxSplits: 1).dropFirst().first?.trimmed
      isBoolean = type == "Bool" || type == nil && ["true", "false"].contains(parts.last)
    default: isBoolean = false
    }
  }

  /// Returns the declaration on the line of an attribute, or nil where the attribute stands alone.
  private static func behindAttribute(_ line: String) -> String? {
    let keywords = ["func ", "init(", "init<", "var ", "let ", "subscript", "struct ", "class "]
    guard line.hasPrefix("@"), !line.contains("\"") else { return nil }
    let rest = line.drop { $0 != " " }
    return keywords.contains { rest.contains(" " + $0) } ? String(rest) : nil
  }
}
