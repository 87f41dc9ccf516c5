/// Nothing is left of the work: no notes to self, traps, debugging, places of a machine.
enum LeftoverRule {
  /// Words that stand nowhere. Parted here so that this file does not hold them.
  private static let notes = ["TO" + "DO", "FIX" + "ME", "X" + "XX"]
  private static let places = ["/ho" + "me/", "/ro" + "ot/", "/wo" + "rk/", "/Us" + "ers/"]
  private static let forcedCode = ["try!", "as!"]
  private static let sourceCode = ["fatalError(", "debugPrint(", "dump("]
  private static let testCode = [
    ".disabled(", "withKnownIssue", "import XCTest", "Task.sleep", "Thread.sleep", "usleep(",
    "nanosleep(",
  ]
  /// The program that shows that XCTest runs the main queue.
  private static let testOfXCTest = "Tests/Tools/mainxctest/main.swift"
  /// Names that say nothing about the thing.
  private static let emptyNames = ["Manager", "Helper", "Util", "Impl"]

  static func violations(in file: SourceFile) -> [String] {
    var found: [String] = []
    for (index, line) in file.lines.enumerated() {
      let words = notes.filter { contains(word: $0, in: line) }
      for word in words + places.filter(line.contains) {
        found.append("\(file.place(index)): \(word)")
      }
    }
    guard file.path.hasSuffix(".swift") else { return found }
    var banned = forcedCode
    switch file.area {
    case "Sources":
      banned += sourceCode
      if file.module != "fastcp" { banned.append("print(") }
    case "Tests": banned += testCode.filter { file.path != testOfXCTest || $0 != "import XCTest" }
    default: break
    }
    for (index, line) in file.code.enumerated() {
      // A member that is declared is not a call of the function of its name.
      for text in banned where hasBegin(of: text, in: line) && !line.contains("func \(text)") {
        found.append("\(file.place(index)): \(text)")
      }
      found += emptyNames.filter { declares($0, in: line) }
        .map { "\(file.place(index)): a name with \($0)" }
    }
    found += emptyNames.filter(file.name.contains).map { "\(file.path): a name with \($0)" }
    return found
  }

  /// Whether `text` stands in the line and does not go on a longer word.
  private static func hasBegin(of text: String, in line: String) -> Bool {
    guard let range = line.firstRange(of: text) else { return false }
    guard let first = text.utf8.first, isWordByte(first), range.lowerBound > line.startIndex else {
      return true
    }
    return !isWordByte(line.utf8[line.utf8.index(before: range.lowerBound)])
  }

  private static func declares(_ part: String, in line: String) -> Bool {
    let words = line.split { !isWordByte($0.asciiValue ?? 0) }
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    return zip(words, words.dropFirst()).contains { kinds.contains($0) && $1.contains(part) }
  }
}
