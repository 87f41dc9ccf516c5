import IOChannelsTestSupport
import Testing

/// A source that is changed while the copy stands still in the middle of it.
@Suite("Sources that change", .needs(.root, .fuse), .ends(withinMinutes: 60))
struct SourceChangeTests {
  private static let rounds = Tier.count(quick: 2, full: 200)

  /// What is done to the file `f`, and what the copier says.
  struct Change: CustomTestStringConvertible, Sendable {
    var name: String
    var script: String
    /// The end of the one line, nil where the copy is what the file was.
    var line: String?

    var testDescription: String { name }
  }

  /// Copies `source` and carries a script out behind it once a rule was used.
  private func copy(
    _ rule: String,
    _ script: String,
    _ faulty: FaultFileSystem,
    _ scene: Scene
  ) throws -> Outcome {
    try faulty.setRules(rule)
    let copier = try ChildProcess(
      [BuiltProgram.fastcp.path, "-rT", "\(faulty.path)/source", "copy"],
      directory: scene.place.path
    )
    try faulty.waitForUse()
    try runSuccessfully(["bash", "-ec", script], directory: "\(faulty.behind)/source")
    try faulty.setRules()
    return try copier.wait(timeout: .seconds(30))
  }

  @Test(
    "A file that is written to while it is read is reported (F18, T22)",
    arguments: [
      Change(name: "grows", script: "echo more >>f", line: "changed"),
      Change(name: "shrinks", script: "truncate -s 1000000 f", line: "changed"),
      Change(name: "becomes empty", script: ": >f", line: "changed"),
      Change(
        name: "is written anew",
        script: "tr a b <f >g; cat g >f; rm g",
        line: "changed"
      ),
      Change(name: "is replaced", script: "tr a b <f >g; mv g f"),
      Change(name: "vanishes", script: "rm f"),
      Change(name: "is touched", script: "touch -d 2001-01-01 f"),
      Change(name: "is written with the same bytes", script: "cat f >g; cat g >f; rm g"),
      Change(name: "gets another mode", script: "chmod 600 f"),
      Change(name: "becomes a link", script: "rm f; ln -s /etc/passwd f"),
    ]
  )
  func whileReading(change: Change) throws {
    let faulty = try FaultFileSystem()
    let scene = try Scene()
    for round in 1...Self.rounds {
      try runSuccessfully(
        [
          "bash", "-ec",
          """
          rm -rf source; mkdir source; head -c 3000000 /dev/zero | tr '\\0' a >source/f
          echo >source/g1
          """,
        ],
        directory: faulty.behind
      )
      let outcome = try copy("read f 2 hang 1", change.script, faulty, scene)
      if let line = change.line {
        try #require(outcome.status == 1, "round \(round)")
        try #require(outcome.errorLines.count == 1, "\(outcome)")
        try #require(outcome.errorText.contains(line), "\(outcome)")
      } else {
        // The open file is still the old one, and all of it was read.
        try #require(outcome.succeeded, "\(outcome)")
        try scene.shell("head -c 3000000 /dev/zero | tr '\\0' a | cmp - copy/f")
      }
      try scene.shell("cmp copy/g1 <(echo); rm -rf copy")
    }
  }

  @Test(
    "A growing file is verified up to the end of its copy, on each file system (T22)",
    arguments: [["--jobs=1"], ["--sparse=always"]]
  )
  func whileVerified(options: [String]) throws {
    let faulty = try FaultFileSystem()
    let place = try TemporaryDirectory()
    for copy in [place("g"), "\(faulty.path)/g"] {
      try runSuccessfully(
        ["bash", "-ec", "rm -f g; head -c 3000000 /dev/zero | tr '\\0' a >f"],
        directory: faulty.behind
      )
      try faulty.setRules("read f 2 hang 1")
      let copier = try ChildProcess(
        [BuiltProgram.fastcp.path, "--verify"] + options + ["\(faulty.path)/f", copy]
      )
      try faulty.waitForUse()
      try runSuccessfully(["bash", "-ec", "echo more >>f"], directory: faulty.behind)
      try faulty.setRules()
      let outcome = try copier.wait(timeout: .seconds(30))
      #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome)")
      #expect(outcome.errorText.hasSuffix("was changed while being copied\n"), "\(outcome)")
      try runSuccessfully(["cmp", "-n", "3000000", "\(faulty.behind)/f", copy])
    }
  }

  @Test("A device that was written to is not read to judge its source (T22)")
  func intoDevice() throws {
    let faulty = try FaultFileSystem()
    try runSuccessfully(
      ["bash", "-ec", "head -c 3000000 /dev/zero >f"],
      directory: faulty.behind
    )
    try faulty.setRules("read f 2 hang 1")
    let copier = try ChildProcess([BuiltProgram.fastcp.path, "\(faulty.path)/f", "/dev/null"])
    try faulty.waitForUse()
    try runSuccessfully(["touch", "-d", "2001-01-01", "\(faulty.behind)/f"])
    try faulty.setRules()
    let outcome = try copier.wait(timeout: .seconds(30))
    #expect(outcome.succeeded && outcome.errors.isEmpty, "\(outcome)")
  }

  @Test(
    "A source that is no file any more is reported, and never waited for (F18, T23)",
    arguments: [
      Change(name: "FIFO", script: "rm f; mkfifo f", line: "replaced while being copied"),
      Change(name: "link", script: "rm f; ln -s g1 f", line: "replaced while being copied"),
      Change(name: "directory", script: "rm f; mkdir f", line: "replaced while being copied"),
      Change(name: "nothing", script: "rm f", line: "No such file or directory"),
    ]
  )
  func betweenListingAndOpening(change: Change) throws {
    let faulty = try FaultFileSystem()
    let scene = try Scene()
    for round in 1...Self.rounds {
      try runSuccessfully(
        ["bash", "-ec", "rm -rf source; mkdir source; echo x >source/f; echo >source/g1"],
        directory: faulty.behind
      )
      let outcome = try copy("lookup f 1 hang 1", change.script, faulty, scene)
      try #require(outcome.status == 1, "round \(round): \(outcome)")
      try #require(
        outcome.errorLines.count == 1 && outcome.errorLines[0].hasSuffix(change.line ?? ""),
        "\(outcome)"
      )
      try scene.shell("cmp copy/g1 <(echo); test ! -e copy/f; rm -rf copy")
    }
  }
}
