import IOChannelsTestSupport
import Testing

/// Errors of either side while entries are removed that the source lacks.
@Suite("Removals with errors", .needs(.root, .fuse), .ends(withinMinutes: 20))
struct RemovalFaultTests {
  private static let source = "mkdir -p s/d s/e; echo 1 >s/d/f; echo 2 >s/e/f; echo 3 >s/f"
  private static let destination =
    "mkdir -p to; cp -a s/. to; echo 4 >to/d/extra; echo 5 >to/e/extra; echo 6 >to/extra"

  /// Mounts a source or destination with faults beside the other one in a scene.
  private func mount(isSource: Bool) throws -> (scene: Scene, faulty: FaultFileSystem) {
    let faulty = try FaultFileSystem()
    let scene = try Scene("\(Self.source); \(Self.destination)")
    let name = isSource ? "s" : "to"
    try scene.shell("mv \(name) '\(faulty.behind)'; ln -s '\(faulty.path)/\(name)' \(name)")
    return (scene, faulty)
  }

  private static let nothing =
    "because not all names in it and its source were read"

  @Test(
    "If the names of a source cannot all be read, nothing is removed there (F1, T58)",
    arguments: 1...4,
    [5, 2, 12]
  )
  func unreadSource(request: Int, error: Int) throws {
    let (scene, faulty) = try mount(isSource: true)
    try faulty.setRules("readdir d \(request) errno \(error)")
    let outcome = try scene.copy("-aT", "--delete", "--jobs=1", "s/.", "to")
    #expect(!faulty.uses().isEmpty)
    try faulty.setRules()
    #expect(outcome.status == 1)
    #expect(outcome.errorLines.first?.contains("cannot access 's/./d'") == true, "\(outcome)")
    #expect(
      outcome.errorLines.last
        == "fastcp: warning: removing nothing from 'to/d', \(Self.nothing)",
      "\(outcome)"
    )
    #expect(outcome.errorLines.count == 2)
    #expect(try scene.shell("cd to; ls d e; ls -d extra || :") == "d:\nextra\nf\n\ne:\nf\n")
    let again = try scene.copy("-aT", "--delete", "s/.", "to")
    #expect(again.succeeded, "\(again)")
    #expect(try scene.shell("ls to/d") == "f\n")
  }

  @Test(
    "If the source does not answer for a name, nothing is removed there (F1, T58)",
    arguments: [5, 12, 13]
  )
  func unknownName(error: Int) throws {
    let (scene, faulty) = try mount(isSource: true)
    try faulty.setRules("lookup extra 1 errno \(error)")
    let outcome = try scene.copy("-aT", "--delete", "--jobs=1", "s/.", "to")
    #expect(!faulty.uses().isEmpty)
    #expect(outcome.status == 1)
    #expect(outcome.errorLines.first?.contains("cannot stat 's/.") == true, "\(outcome)")
    #expect(outcome.errorLines.last?.contains(Self.nothing) == true, "\(outcome)")
    // One directory is asked first, and the other ones lose their entry.
    #expect(try scene.shell("ls to/extra to/*/extra 2>/dev/null | wc -l") == "1\n")
  }

  /// An error of the destination.
  struct Fault: CustomTestStringConvertible, Sendable {
    var rule: String
    /// The beginning of the first message.
    var line: String
    /// The number of entries that stay.
    var count: Int

    var testDescription: String { rule }
  }

  @Test(
    "Errors of the destination are reported, and concern no other entry (F1, T58)",
    arguments: [
      Fault(rule: "readdir d 1 errno 5", line: "cannot access 'to/./d'", count: 1),
      Fault(rule: "unlink extra 1 errno 13", line: "cannot remove 'to/.", count: 1),
      Fault(rule: "unlink extra 1+ errno 30", line: "cannot remove 'to/.", count: 3),
    ]
  )
  func destination(fault: Fault) throws {
    let (scene, faulty) = try mount(isSource: false)
    let count = "cd to; ls extra */extra 2>/dev/null | wc -l"
    try faulty.setRules(fault.rule)
    let outcome = try scene.copy("-aT", "--delete", "--jobs=1", "s", "to/.")
    #expect(!faulty.uses().isEmpty)
    try faulty.setRules()
    #expect(outcome.status == 1)
    #expect(outcome.errorLines.first?.hasPrefix("fastcp: \(fault.line)") == true, "\(outcome)")
    #expect(try scene.shell(count) == "\(fault.count)\n", "\(outcome)")
    if fault.rule.hasPrefix("readdir") {
      #expect(try scene.shell("ls to/d") == "extra\nf\n")
      #expect(outcome.errorLines.last?.contains(Self.nothing) == true, "\(outcome)")
    }
    #expect(try scene.copy("-aT", "--delete", "s", "to/.").succeeded)
    #expect(try scene.shell(count) == "0\n")
  }

  @Test("A directory that cannot be removed keeps only itself (F1, T57)")
  func directory() throws {
    let (scene, faulty) = try mount(isSource: false)
    try scene.shell("mkdir -p to/x/y; echo 7 >to/x/y/z; echo 8 >to/x/w")
    try faulty.setRules("rmdir y 1+ errno 16")
    let outcome = try scene.copy("-aT", "--delete", "s", "to/.")
    #expect(outcome.status == 1)
    #expect(
      outcome.errorText == "fastcp: cannot remove 'to/./x/y': Device or resource busy\n"
    )
    #expect(try scene.shell("cd to; find x | sort") == "x\nx/y\n")
  }
}
