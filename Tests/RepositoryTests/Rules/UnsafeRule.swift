/// `unsafe` stands in the files that UNSAFE.md lists, and in no others.
enum UnsafeRule {
  /// The share of the Swift lines in Sources that listed files may have.
  static let percentLimit = 15

  /// Words that a listed file may not have in its name: what must be plain logic.
  static let neverListed = [
    "State", "Machine", "Drain", "Router", "Routing", "Plan", "Option", "Parser", "Scheduler",
  ]

  /// A row of the list.
  struct Row: Equatable {
    let file: String
    let reason: String
  }

  /// Reads the rows `| file | reason |`; the file stands in backquotes.
  static func rows(in document: SourceFile) -> [Row] {
    document.lines.compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmed }
      guard cells.count == 2, let file = LayerRule.quoted(in: cells[0]).first else { return nil }
      return Row(file: file, reason: cells[1])
    }
  }

  static func isUnsafe(_ file: SourceFile) -> Bool {
    file.code.contains { contains(word: "unsafe", in: $0) }
  }

  static func violations(in files: [SourceFile], listed rows: [Row]) -> [String] {
    var found: [String] = []
    let listed = Set(rows.map(\.file))
    let marked = Set(files.filter(isUnsafe).map(\.path))
    for path in marked.subtracting(listed).sorted() {
      found.append("\(path): has `unsafe` and is not listed")
    }
    for path in listed.subtracting(marked).sorted() {
      found.append("\(path): is listed and has no `unsafe`")
    }
    for row in rows where row.reason.count < 10 {
      found.append("\(row.file): is listed without a reason")
    }
    if listed.count < rows.count { found.append("a file is listed twice") }
    for file in files where listed.contains(file.path) {
      for word in neverListed where file.name.contains(word) {
        found.append("\(file.path): a file of this kind (\(word)) may not be listed")
      }
    }
    let sources = files.filter { $0.area == "Sources" }
    let all = sources.reduce(0) { $0 + $1.lines.count }
    let some = sources.reduce(0) { $0 + (listed.contains($1.path) ? $1.lines.count : 0) }
    if some * 100 > all * percentLimit {
      found.append("\(some) of \(all) lines in Sources are in listed files, over 15 %")
    }
    return found
  }
}
