/// A file of the repository and what rules need of it.
struct SourceFile: Sendable {
  /// The path from the root of the repository.
  let path: String
  /// The lines, without their ends.
  let lines: [String]
  /// The lines with comments and the contents of strings left out.
  let code: [String]
  /// The lines with everything but comments and strings left out.
  let prose: [String]

  init(path: String, text: String) {
    self.path = path
    lines = SourceFile.split(Array(text.utf8))
    if path.hasSuffix(".swift") {
      var scanner = ProseScanner(Array(text.utf8))
      scanner.scan()
      code = SourceFile.split(scanner.code)
      prose = SourceFile.split(scanner.prose)
    } else {
      code = lines
      prose = lines
    }
  }

  /// The last part of the path, without the extension.
  var name: String {
    let last = path.split(separator: "/").last ?? ""
    return String(last.split(separator: ".").first ?? "")
  }

  /// `Sources`, `Tests` and so on.
  var area: String { String(path.prefix { $0 != "/" }) }

  /// The directory below the area, which has the name of the module.
  var module: String {
    let parts = path.split(separator: "/")
    return parts.count > 2 ? String(parts[1]) : ""
  }

  /// `path:line`, lines counted from 1.
  func place(_ index: Int) -> String { "\(path):\(index + 1)" }

  private static func split(_ bytes: [UInt8]) -> [String] {
    var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if parts.last?.isEmpty ?? false { parts.removeLast() }
    return parts.map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Whether `word` stands in `line` with no letter, digit or underscore on either side.
func contains(word: String, in line: String) -> Bool {
  let (text, wanted) = (Array(line.utf8), Array(word.utf8))
  guard text.count >= wanted.count else { return false }
  for start in 0...(text.count - wanted.count)
  where text[start] == wanted[0] && text[start..<(start + wanted.count)].elementsEqual(wanted) {
    let end = start + wanted.count
    let opensWord = start == 0 || !isWordByte(text[start - 1])
    let closesWord = end == text.count || !isWordByte(text[end])
    if opensWord && closesWord { return true }
  }
  return false
}

/// Letters, digits and the underscore.
func isWordByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
    true
  default: false
  }
}
