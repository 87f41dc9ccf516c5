import IOChannelsTestSupport
import Testing

/// Operands are copied as if one after the other.
@Suite("Several operands")
struct OperandTests {
  /// Runs a script in which `fastcp` is the command.
  private func shell(_ script: String) throws -> Outcome {
    let place = try TemporaryDirectory()
    return try run(
      ["bash", "-ec", "fastcp() { \"$PROGRAM\" \"$@\"; }; \(script)"],
      environment: ["PROGRAM": BuiltProgram.fastcp.path, "LC_ALL": "C"],
      directory: place.path,
      timeout: .seconds(30)
    )
  }

  @Test("Operands that meet under different names are copied in order", arguments: [1, 4])
  func order(jobs: Int) throws {
    let scripts = [
      "fastcp --jobs \(jobs) -r s/. t d; cat d/t/f",
      "cd s; fastcp --jobs \(jobs) -r . ../t ../d; cat ../d/t/f",
      "mkdir v; cp -r t v; fastcp --jobs \(jobs) -r s/. v/. d; cat d/t/f",
      "fastcp --jobs \(jobs) -r s u/. d; cat d/s/t/f",
    ]
    for script in scripts {
      let outcome = try shell(
        "mkdir -p s/t t d u/s/t; echo old >s/t/f; echo new >t/f; echo new >u/s/t/f; \(script)"
      )
      #expect(outcome.succeeded, "\(outcome)")
      #expect(outcome.outputText == "new\n", "\(script)")
    }
  }

  @Test("A source that an earlier operand makes is there", arguments: [1, 4])
  func madeSource(jobs: Int) throws {
    for source in ["d/x/sub", "link/x/sub"] {
      let outcome = try shell(
        """
        mkdir -p x/sub d; echo 1 >x/sub/f; ln -s d link
        fastcp --jobs \(jobs) -r x \(source) d; cat d/sub/f
        """
      )
      #expect(outcome.outputText == "1\n", "\(outcome)")
    }
  }

  @Test(
    "A further name of a file that was overwritten is copied, not linked (T33)",
    arguments: [1, 4]
  )
  func overwrittenFirstName(jobs: Int) throws {
    let outcome = try shell(
      """
      mkdir a b d; echo 1 >a/f; ln a/f h; echo 2 >b/f
      fastcp --jobs \(jobs) -dr a/. b/. h d; cat d/f d/h
      """
    )
    #expect(outcome.outputText == "2\n1\n", "\(outcome)")
  }
}
