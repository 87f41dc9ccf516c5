import IOChannelsTestSupport
import Testing

/// `scripts/test` runs the same program with optimisation.
@Suite("Every misuse in a program of its own (S45)")
struct MisuseProgramTests {
  @Test("Every misuse names the rule that it breaks")
  func everyMisuseSaysWhichRuleItBreaks() throws {
    let outcome = try run([BuiltProgram.misuse.path, "--all"], timeout: .seconds(240))
    #expect(outcome.succeeded, "\(outcome.outputText)")
    let counts = outcome.outputText.split(separator: " ").compactMap { Int($0) }
    #expect(counts.count == 2 && counts[0] == counts[1] && counts[0] >= 90)
  }

  @Test("A lost reader of standard error does not change the end")
  func aLostReaderOfStandardErrorDoesNotChangeTheEnd() throws {
    // The shell tells how its children ended: by a trap, not by the signal of a lost reader.
    let script = """
      cd "$1"; mkfifo pipe; exec 4<>pipe 5>pipe 4<&-
      "$0" leave 2>&5; echo $?
      "$0" leave 2>&-; echo $?
      """
    let directory = try TemporaryDirectory()
    let output = try run(
      ["bash", "-c", script, BuiltProgram.misuse.path, directory.path],
      environment: ["SWIFT_BACKTRACE": "enable=no"]
    ).outputText
    let statuses = output.split(separator: "\n").compactMap { Int($0) }
    #expect(statuses.count == 2)
    // 128 and SIGILL or SIGTRAP.
    #expect(statuses.allSatisfy { [132, 133].contains($0) }, "\(output)")
  }
}
