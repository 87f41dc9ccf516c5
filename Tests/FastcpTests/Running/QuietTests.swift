import FileCopy
import IOChannelsTestSupport
import Testing

@testable import fastcp

/// `--quiet` prints errors and nothing else.
@Suite("Quiet copies", .ends(withinMinutes: 10))
struct QuietTests {
  @Test("Warnings are not printed, and errors are")
  func errorsOnly() throws {
    let scene = try Scene("echo 1 >f; echo 2 >g; mkdir to")
    let loud = try scene.copy("f", "f", "missing", "g", "to")
    #expect(loud.errorLines.count == 2, "\(loud)")
    let quiet = try scene.copy("--quiet", "f", "f", "missing", "g", "to")
    #expect(quiet.status == 1)
    #expect(quiet.output.isEmpty)
    #expect(
      quiet.errorLines == ["fastcp: cannot stat 'missing': No such file or directory"],
      "\(quiet)"
    )
    try scene.shell("cmp f to/f; cmp g to/g")
  }

  @Test("An interrupted copy prints no summary (F14)")
  func interrupted() throws {
    let scene = try Scene("mkfifo p")
    let copy = try ChildProcess(
      [BuiltProgram.fastcp.path, "--quiet", "p", "g"],
      directory: scene.place.path
    )
    let writer = try ChildProcess(
      ["bash", "-c", "exec 3>p; printf 12345 >&3; exec sleep 100"],
      directory: scene.place.path
    )
    defer { writer.send(signal: 9) }
    try scene.shell("until test -s g; do sleep 0.01; done")
    copy.send(signal: 15)
    let outcome = try copy.wait()
    #expect(outcome.signal == 15)
    #expect(outcome.errors.isEmpty && outcome.output.isEmpty, "\(outcome)")
  }

  @Test(
    "An option that prints more is refused",
    arguments: [
      ("-v", "--verbose"), ("--debug", "--debug"), ("--json", "--json"), ("--stats", "--stats"),
      ("--progress", "--progress"), ("--progress=json", "--progress"), ("--dry-run", "--dry-run"),
    ]
  )
  func refused(option: String, named: String) {
    let parsed = ArgumentParser().parse([BytePath(option), "--quiet", "a", "b"])
    #expect(throws: UsageError.cannotCombine("--quiet", named)) { _ = try Command(parsed) }
    #expect(
      UsageError.cannotCombine("--quiet", named).text(quoting: .utf8)
        == "cannot combine --quiet and \(named)"
    )
  }

  @Test("The default progress and none are accepted", arguments: ["auto", "never"])
  func accepted(word: String) throws {
    let parsed = ArgumentParser().parse([BytePath("--progress=\(word)"), "--quiet", "a", "b"])
    #expect(throws: Never.self) { _ = try Command(parsed) }
  }
}
