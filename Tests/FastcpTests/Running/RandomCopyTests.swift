import IOChannelsTestSupport
import Testing

/// Command lines that no test lists.
@Suite("Random command lines", .ends(withinMinutes: 10))
struct RandomCopyTests {
  /// The first seed of the quick tier, which repeats the same cases.
  private static let quickSeed: UInt64 = 1

  @Test(
    "Status, messages, output and files are those of cp",
    .needs(.root),
    arguments: [["root"], ["nobody"], ["root", "--server", "22"], ["nobody", "--server", "5"]]
  )
  func commandLines(words: [String]) throws {
    let isFull = Tier.current == .full
    let generator = SeededGenerator(seed: isFull ? nil : RandomCopyTests.quickSeed)
    let outcome = try run(
      [
        BuiltProgram.randomcopies.path, "--count", "\(Tier.count(quick: 30, full: 2000))",
        "--seed", "\(generator.seed)", "--jobs", "\(Tier.count(quick: 1, full: 2))", "--user",
      ] + words,
      timeout: .seconds(Tier.count(quick: 300, full: 10_800))
    )
    #expect(outcome.succeeded, "\(outcome)")
    #expect(outcome.outputText.contains("cases, of which 0 differ"), "\(outcome)")
  }

  @Test("A difference is found, printed and repeated", .needs(.root))
  func difference() throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(
      [
        "bash", "-ec",
        """
        chmod 755 .; cat >other <<'END'
        #!/bin/sh
        case $1 in --help | --version) exec cp "$1" ;; esac
        exec /bin/cp --backup=numbered "$@"
        END
        chmod 755 other
        """,
      ],
      directory: place.path
    )
    func compare(_ words: String...) throws -> Outcome {
      try run(
        [BuiltProgram.randomcopies.path] + words,
        environment: ["FASTCP_REFERENCE_CP": place("other")],
        timeout: .seconds(120)
      )
    }
    let outcome = try compare("--count", "60", "--seed", "1", "--jobs", "2")
    #expect(outcome.status == 1, "\(outcome)")
    let start = "randomcopies --user root --seed "
    let lines = outcome.outputText.split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix(start) }, "\(outcome)")
    // Nothing but the command line stands behind the command. A repeated case is explained.
    let known = lines.dropFirst().allSatisfy { line in
      line.hasPrefix(start) || line.hasPrefix("60 cases, of which ") || line.hasPrefix("known, ")
    }
    #expect(known, "\(outcome)")
    let command = line.prefix { $0 != "#" }
    let words = command.split(separator: " ").dropFirst().map(String.init)
    let again = try run(
      [BuiltProgram.randomcopies.path] + words,
      environment: ["FASTCP_REFERENCE_CP": place("other")]
    )
    #expect(again.status == 1 && again.outputText.contains("\n\(line)\n    "), "\(again)")
    #expect(try compare("--seed", "many").status == 2)
    #expect(try compare("--jobs", "0").status == 2)
  }
}
