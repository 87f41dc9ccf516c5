import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// Patterns have the syntax of gitignore.
@Suite("Patterns of names", .ends(withinMinutes: 5))
struct FilterPatternTests {
  /// Whether some patterns leave out a path. A slash at its end marks a directory.
  private func isExcluded(_ path: String, by patterns: [String]) throws -> Bool {
    var list = RuleList()
    for pattern in patterns { list.append(try FilterRule(pattern.utf8)) }
    var layer = RuleLayer(list)
    let names = path.split(separator: "/").map { BytePath(String($0)) }
    for name in names.dropLast() { layer = layer.entering(name) }
    let last = try #require(names.last)
    return layer.excludes(last, isDirectory: path.hasSuffix("/")) ?? false
  }

  static let table: [(String, [String], [String])] = [
    ("a", ["a", "a/", "x/a", "x/y/a/"], ["b", "aa", "x/ab"]),
    ("*.o", ["a.o", ".o", "x/a.o"], ["a.oo", "o", "a.o.c"]),
    ("a?c", ["abc", "x/a.c"], ["ac", "abbc"]),
    ("a/", ["a/", "x/a/"], ["a", "x/a"]),
    ("/a", ["a", "a/"], ["x/a"]),
    ("a/b", ["a/b", "a/b/"], ["x/a/b", "a/x/b", "b"]),
    ("/a/b/", ["a/b/"], ["a/b", "x/a/b/"]),
    ("**/a", ["a", "x/a", "x/y/a"], ["xa", "x/ba"]),
    ("**/a/b", ["a/b", "x/a/b", "x/y/a/b"], ["a/x/b", "xa/b"]),
    ("a/**", ["a/b", "a/b/c"], ["a", "a/", "b/a"]),
    ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb", "b"]),
    ("a/*", ["a/b", "a/.x"], ["a/b/c", "a"]),
    ("a/*/c", ["a/b/c"], ["a/c", "a/b/d/c"]),
    ("a/x?**", ["a/xy", "a/xyz"], ["a/xy/c", "a/x"]),
    // As in git, two stars behind plain bytes stand for directories too.
    ("a/b**", ["a/b", "a/bc", "a/b/c"], ["a/c"]),
    ("a**/b", ["ab", "a/b", "ax/b", "ax/y/b"], ["b/a"]),
    ("*a*b*", ["ab", "xaybz", "aab"], ["ba", "a"]),
    ("[ab]c", ["ac", "bc"], ["cc", "c", "abc"]),
    ("[!ab]c", ["cc", "xc"], ["ac", "bc", "c"]),
    ("[^a-c]", ["d", "-"], ["a", "b", "c"]),
    ("[]-]", ["]", "-"], ["a", "[]-]"]),
    ("[a-]", ["a", "-"], ["b"]),
    ("[z-a]x", ["zx"], ["ax", "-x"]),
    ("[\\]x]", ["]", "x"], ["\\"]),
    ("[[:digit:]x]*", ["1", "x", "7a"], ["a", "d"]),
    ("[![:space:]]", ["a"], [" ", "aa"]),
    ("[[:x]", ["[", ":", "x"], ["a"]),
    ("a[/]b/c", [], ["a/b/c", "a[/]b/c"]),
    ("x/a?b", ["x/a.b"], ["x/a/b"]),
    ("\\*", ["*"], ["a", "\\*"]),
    ("\\!a", ["!a"], ["a"]),
    ("a\\b", ["ab"], ["a\\b"]),
    ("*", ["a", ".x", "x/y"], []),
    ("**", ["a", "x/y"], []),
    ("*/", ["a/", "x/y/"], ["a"]),
    ("**/", ["a/", "x/y/"], ["a"]),
    ("a/**/", ["a/b/", "a/b/c/"], ["a/b", "a/"]),
    ("x/**\\/y", ["x/a/y", "x/a/b/y"], ["x/y"]),
  ]

  @Test("A pattern matches the names that git documents (T61)", arguments: FilterPatternTests.table)
  func patterns(pattern: String, matching: [String], others: [String]) throws {
    for path in matching { #expect(try isExcluded(path, by: [pattern]), "\(path)") }
    for path in others { #expect(try !isExcluded(path, by: [pattern]), "\(path)") }
  }

  @Test("The last pattern that matches decides, in whatever form it is (T61)")
  func order() throws {
    #expect(try !isExcluded("keep.o", by: ["*.o", "!keep.o"]))
    #expect(try isExcluded("keep.o", by: ["!keep.o", "*.o"]))
    #expect(try !isExcluded("a/b", by: ["b", "!/a/b"]))
    #expect(try isExcluded("a/b", by: ["!/a/b", "b"]))
    #expect(try isExcluded("b", by: ["b", "!/a/b"]))
    #expect(try isExcluded("a/b", by: ["/a/b", "!b/"]))
    #expect(try !isExcluded("a/b/", by: ["/a/b", "!b/"]))
  }

  @Test("Names are bytes, also in a class (T61)")
  func bytes() throws {
    let range = try FilterRule([UInt8(ascii: "["), 0x80, UInt8(ascii: "-"), 0xFF, 0x5D])
    #expect(range.matches([0xC3]))
    #expect(!range.matches([0x41]))
    #expect(try FilterRule("?".utf8).matches([0xFF]))
    #expect(try !FilterRule("?".utf8).matches([0xC3, 0xA9]))
  }

  @Test("A pattern with many stars takes a bounded time (T61)")
  func hostilePatterns() throws {
    let name = String(repeating: "a", count: 255)
    #expect(try !isExcluded(name, by: [String(repeating: "*a", count: 60) + "*b"]))
    #expect(try isExcluded(name, by: [String(repeating: "*a", count: 60) + "*"]))
    let deep = String(repeating: "a/", count: 200)
    let stars = String(repeating: "**/a*/", count: 50)
    #expect(try !isExcluded(deep + "a", by: [stars + "b"]))
    #expect(try isExcluded(deep + "b", by: [stars + "b"]))
  }

  static let flawed: [(String, CopyFilterError.Reason)] = [
    ("", .empty), ("/", .empty), ("//", .empty), ("!", .empty), ("!/", .empty),
    ("a\\", .trailingBackslash), ("a\\/", .trailingBackslash), ("[a", .unclosedClass),
    ("x/[", .unclosedClass), ("[]", .unclosedClass), ("[a\\", .unclosedClass),
    ("[[:digit:]", .unclosedClass), ("[[:word:]]", .unknownClass),
  ]

  @Test("A flawed pattern has a reason (T62)", arguments: FilterPatternTests.flawed)
  func flaws(pattern: String, reason: CopyFilterError.Reason) {
    #expect(throws: reason) { _ = try FilterRule(pattern.utf8) }
    #expect(RuleList(ignoreFile: Array(pattern.utf8)).rules.isEmpty)
  }

  @Test("Lines hold patterns without comments, ends of lines and trailing spaces (T62)")
  func lines() {
    let text = "\u{FEFF}a\r\n\n# c\n \nb  \nc\\ \n\\#d\ne\0f\n#"
    let lines = RuleList.lines(of: Array(text.utf8))
    #expect(lines.map(\.number) == [1, 5, 6, 7, 8])
    let patterns = lines.map { String(decoding: $0.pattern, as: UTF8.self) }
    #expect(patterns == ["a", "b", "c\\ ", "\\#d", "e"])
  }

  @Test("An invalid pattern is reported with its file, line and reason (T62)")
  func errors() throws {
    let place = try CopyPlace()
    try place.shell("printf 'a\\n#\\n[b\\nc\\n' >patterns")
    var filter = CopyFilter()
    try filter.exclude("x")
    let before = filter
    let file = place.path("patterns")
    let invalid = #expect(throws: CopyFilterError.self) { try filter.exclude(patternsIn: file) }
    #expect(filter == before)
    #expect(invalid?.reason == .unclosedClass)
    #expect(invalid?.pattern == "[b")
    #expect(invalid?.file == file)
    #expect(invalid?.line == 3)
    #expect(
      invalid?.text() == "invalid pattern '[b' in line 3 of '\(file)': '[' has no closing ']'"
    )
    let missing = #expect(throws: CopyFilterError.self) {
      try filter.exclude(patternsIn: place.path("missing"))
    }
    #expect(missing?.reason == .system(.noSuchFileOrDirectory))
    let twice = #expect(throws: CopyFilterError.self) { try filter.include("!a") }
    #expect(twice?.reason == .repeatedNegation)
    #expect(twice?.text() == "invalid pattern '!a': it begins with '!'")
  }
}
