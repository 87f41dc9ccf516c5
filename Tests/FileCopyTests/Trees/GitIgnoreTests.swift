import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// The same names are ignored here and by git, for random patterns and trees.
@Suite("Names that git ignores", .needs(.git), .ends(withinMinutes: 10))
struct GitIgnoreTests {
  /// A work tree of git, below which each case has a directory of its own.
  private struct Repository {
    let place: TemporaryDirectory
    /// The paths of all entries, with a slash at the end of directories.
    var paths: [String] = []

    /// The settings of users are not read.
    private var environment: [String: String?] {
      [
        "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "HOME": place.path,
        "XDG_CONFIG_HOME": place.path, "GIT_DIR": nil, "LC_ALL": "C",
      ]
    }

    init() throws {
      place = try TemporaryDirectory()
      try runSuccessfully(
        ["git", "init", "-q", "--template="],
        environment: environment,
        directory: place.path
      )
    }

    /// Returns the paths that git ignores.
    func ignored() throws -> Set<String> {
      let names = paths.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
      let outcome = try run(
        ["git", "check-ignore", "--no-index", "-v", "-z", "--stdin"],
        environment: environment,
        directory: place.path,
        input: Array(names.map { $0 + "\0" }.joined().utf8)
      )
      // The status 1 reports that no path is ignored.
      try #require(outcome.status <= 1 && outcome.signal == 0, "\(outcome)")
      // Each record has a file, a line, a pattern and a path.
      let fields = outcome.outputText.split(separator: "\0", omittingEmptySubsequences: false)
      var ignored: Set<String> = []
      for start in stride(from: 0, to: fields.count - 3, by: 4) {
        // Such a pattern includes the path.
        if fields[start + 2].first == "!" { continue }
        ignored.insert(String(fields[start + 3]))
      }
      return ignored
    }
  }

  private static let names = ["a", "b", "c", "1", ".x", "ab", "!a", "#a", " ", "]", "-"]
  private static let parts = [
    "a", "b", "c", "ab", "*", "*", "**", "?", "[ab]", "[!a]", "/", "/", "/", "**/", "/**/", "/**",
    "\\a", "\\/", "[a-c]", "1", ".x",
  ]
  private static let special = [
    "[[:foo:]]", "[a", "a\\", "/", "//", "!", "\\!a", "\\#a", "#a", "a ", "a\\ ", "[[:alpha:]]",
    "[]a]", "[!]a]", "[a-]", "[[:alp]x", "[\\]]", "**", "***/a", "[z-a]", "a\r", "*[[:digit:]]*",
    "\\", "[^a]b", "[a/b]c", "[[:punct:]]*", "[\\a-c]", "*\\ ", "a**/b", "b/a**",
  ]

  private func pattern(_ random: inout SeededGenerator) -> String {
    if random.chance(percent: 5) {
      return GitIgnoreTests.special.randomElement(using: &random) ?? ""
    }
    var text = ""
    for _ in 0..<random.number(in: 1..<6) {
      text += GitIgnoreTests.parts.randomElement(using: &random) ?? ""
    }
    if random.chance(percent: 25) { text = "!" + text }
    if random.chance(percent: 20) { text += "/" }
    return text
  }

  private func patterns(_ random: inout SeededGenerator) -> String {
    let mark = random.chance(percent: 5) ? "\u{FEFF}" : ""
    let lines = (0..<random.number(in: 1..<7)).map { _ in pattern(&random) }
    return mark + lines.joined(separator: "\n") + (random.chance(percent: 50) ? "\n" : "")
  }

  /// Fills a directory of a case, and records the paths.
  private func fill(
    _ path: String,
    _ repository: inout Repository,
    _ random: inout SeededGenerator,
    depth: Int = 0
  ) throws {
    let here = BorrowedDescriptor.workingDirectory
    let directory = BytePath(repository.place(path))
    try here.makeDirectory(directory, permissions: 0o755)
    repository.paths.append(path + "/")
    var taken: Set<String> = []
    for _ in 0..<random.number(in: 1..<6) {
      var name = ""
      for _ in 0..<random.number(in: 1..<4) {
        name += GitIgnoreTests.names.randomElement(using: &random) ?? ""
      }
      guard taken.insert(name).inserted else { continue }
      if depth < 4 && random.chance(percent: 55) {
        try fill("\(path)/\(name)", &repository, &random, depth: depth + 1)
      } else {
        try write("", to: directory.appending(BytePath(name)))
        repository.paths.append("\(path)/\(name)")
      }
    }
    if depth == 0 || random.chance(percent: 30) {
      try write(patterns(&random), to: directory.appending(".gitignore"))
    }
  }

  private func write(_ text: String, to path: BytePath) throws {
    let file = try BorrowedDescriptor.workingDirectory.open(
      path,
      [.writeOnly, .create],
      permissions: 0o644
    )
    let bytes = Array(text.utf8)
    if bytes.isEmpty { return }
    #expect(try file.borrowed.write(bytes, 0..<bytes.count) == bytes.count)
  }

  /// Adds the paths that a filter leaves out below an open directory.
  private func collect(
    _ directory: BorrowedDescriptor,
    _ path: String,
    _ scope: FilterScope,
    into found: inout Set<String>
  ) throws {
    var reader = DirectoryReader()
    var entries: [DirectoryEntry] = []
    while try reader.read(directory, into: &entries) != nil {}
    for entry in entries where entry.name != ".git" && entry.name != ".gitignore" {
      let inner = path.isEmpty ? "\(entry.name)" : "\(path)/\(entry.name)"
      let isDirectory = entry.kind == .directory
      if scope.leavesOut(entry.name, isDirectory: isDirectory) { found.insert(inner) }
      guard isDirectory else { continue }
      let opened = try directory.open(entry.name, [.directory])
      let innerScope = try scope.entering(entry.name, opened.borrowed)
      try collect(opened.borrowed, inner, #require(innerScope), into: &found)
    }
  }

  @Test("Random patterns leave out the names that git check-ignore reports (T63)")
  func checkIgnore() throws {
    var random = SeededGenerator()
    let casesAtOnce = 50
    var filter = CopyFilter()
    filter.ignoredByGit = .excluded
    for batch in 0..<(Tier.count(quick: 50, full: 10_000) / casesAtOnce) {
      var repository = try Repository()
      for number in 0..<casesAtOnce { try fill("case\(number)", &repository, &random) }
      let theirs = try repository.ignored()
      let top = try openFile(repository.place.path, .directory)
      var ours: Set<String> = []
      let scope = try FilterScope(filter, at: top.borrowed)
      try collect(top.borrowed, "", scope, into: &ours)
      #expect(!theirs.isEmpty && theirs.count < repository.paths.count)
      let different = ours.symmetricDifference(theirs).sorted().prefix(5)
      for path in different {
        let directory = path.prefix { $0 != "/" }
        let files = try runSuccessfully(
          ["sh", "-c", "find . -name .gitignore -print -exec cat {} \\;"],
          directory: repository.place(String(directory))
        )
        Issue.record("batch \(batch): \(path), ignored by git: \(theirs.contains(path)); \(files)")
      }
      if !different.isEmpty { return }
    }
  }
}
