import FileCopy
import IOChannelsTestSupport
import Testing

@testable import fastcp

/// Long options that do not exist.
@Suite("Unknown options")
struct OptionNameTests {
  @Test("A misspelt name is followed by the nearest one")
  func nearest() {
    let rows: [(typed: String, name: String?)] = [
      ("verfiy", "verify"), ("recursve", "recursive"), ("max-deletes", "max-delete"),
      ("resumee", "resume"), ("achive", "archive"), ("dryrun", "dry-run"), ("jsom", "json"),
      ("no_clobber", "no-clobber"), ("colour", nil), ("x", nil), ("", nil),
      (String(repeating: "verify", count: 1 << 12), nil),
    ]
    for row in rows { #expect(OptionTable.name(near: row.typed) == row.name, "\(row.typed)") }
  }

  @Test("The message of cp comes first")
  func message() throws {
    for (option, second) in [("--verfiy", "Did you mean '--verify'?\n"), ("--colour=x", "")] {
      let outcome = try run([BuiltProgram.fastcp.path, option, "a", "b"])
      #expect(outcome.status == 1)
      #expect(
        outcome.errorText == """
          fastcp: unrecognized option '\(option)'
          \(second)Try 'fastcp --help' for more information.

          """
      )
    }
  }
}
