import IOChannelsTestSupport
import Testing

/// What comes in a fixed order although many files are copied at a time.
@Suite("Order of messages")
struct OrderTests {
  @Test("Operands are announced in cp's order", arguments: ["1", "4"])
  func operands(jobs: String) throws {
    var twin = Twin("-v", "to", after: "mkdir to; for i in {1..80}; do echo $i >n$i; done")
    twin.arguments = ["-v"] + (1...80).map { "n\($0)" } + ["to"]
    twin.isOrdered = true
    try twin.calling(OrderTests.call(jobs)).compare()
  }

  @Test("The files of a directory are announced before the next operand", arguments: ["1", "4"])
  func directories(jobs: String) throws {
    var twin = Twin("-rv", after: "mkdir to; for i in {1..9}; do mkdir -p a$i/b; :>a$i/b/c; done")
    twin.arguments += (1...9).flatMap { ["a\($0)", "n\($0)"] } + ["to"]
    twin.prepare += "; for i in {1..9}; do echo $i >n$i; done"
    twin.isOrdered = true
    try twin.calling(OrderTests.call(jobs)).compare()
  }

  @Test("Questions about files come in the order of names", arguments: ["-ri", "-riv"])
  func questions(options: String) throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "bash", "-ec",
        """
        for d in two one; do
          mkdir -p $d/{z,a,m}/x
          for i in $(seq 40 | shuf); do echo 1 >$d/$i; echo 1 >$d/m/x/$i; done
          for i in b A 9 aa; do echo 1 >$d/a/$i; echo 1 >$d/z/$i; done
        done
        mkdir to; cp -r two one to
        yes n | "$0" \(options) two one to
        """, BuiltProgram.fastcp.path,
      ],
      environment: ["LC_ALL": "C"],
      directory: place.path
    )
    // As in the names of the shell's listing, which are in the order of bytes.
    let expected = try runSuccessfully(
      [
        "bash", "-ec",
        """
        for d in two one; do
          for p in $d $d/a $d/a/x $d/m $d/m/x $d/z $d/z/x; do
            for f in to/$p/*; do if [ -f "$f" ]; then echo "$f"; fi; done
          done
        done
        """,
      ],
      environment: ["LC_ALL": "C"],
      directory: place.path
    )
    let asked = outcome.errorText.split(separator: "?").compactMap { question in
      question.split(separator: "'").dropFirst().first.map(String.init)
    }
    #expect(asked == expected.split(separator: "\n").map(String.init), "\(outcome)")
    #expect(asked.count == 2 * (40 + 40 + 8))
  }

  @Test("Errors of usage follow the order of the command line")
  func commandLine() throws {
    let help = try run([BuiltProgram.fastcp.path, "--help", "--bogus"])
    #expect(help.succeeded && help.errors.isEmpty)
    try Twin("-t", "d", "-t", "d", "--bogus").compare()
    try Twin("--bogus", "--help").compare()
    try Twin("-9", "-t", "d", "-t", "d").compare()
  }

  /// Runs `cp` as it is and the command with a number of jobs.
  private static func call(_ jobs: String) -> String {
    "[ \"$0\" = cp ] || set -- --jobs \(jobs) \"$@\"; exec \"$0\" \"$@\""
  }

  @Test("Closed standard descriptors are never a copy's files", .needs(.root))
  func closedDescriptors() throws {
    let place = try TemporaryDirectory()
    // The file cannot be given away, which is said while the copy is open.
    let outcome = try run(
      [
        "bash", "-c",
        """
        echo x >f; chmod 644 f; chown 12:34 f
        "$1" nocaps=1 -- "$0" -p f g <&- >&- 2>&-; echo $?; cmp f g
        """, BuiltProgram.fastcp.path, BuiltProgram.sandboxrun.path,
      ],
      directory: place.path
    )
    #expect(outcome.outputText == "1\n", "\(outcome)")
    #expect(outcome.errors.isEmpty, "\(outcome)")
    try Twin("-v", "f", "new").calling("exec \"$0\" \"$@\" >&-").compare()
    try Twin("f", "new").calling("exec \"$0\" \"$@\" <&- >&- 2>&-").compare()
  }
}
