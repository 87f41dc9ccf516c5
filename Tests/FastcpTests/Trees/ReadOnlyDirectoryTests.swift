import IOChannelsTestSupport
import Testing

/// Existing directories that their owner may not change, as in the module cache of Go.
@Suite("Copies to read-only directories", .needs(.root), .ends(withinMinutes: 10))
struct ReadOnlyDirectoryTests {
  private static let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

  /// A place of an ordinary user, with a program that the user can reach.
  private func scene(_ script: String) throws -> Scene {
    let scene = try Scene("chmod 777 .; cp '\(BuiltProgram.fastcp.path)' fastcp; chmod 755 fastcp")
    try change(scene, script)
    return scene
  }

  private func change(_ scene: Scene, _ script: String) throws {
    try runSuccessfully(Self.nobody + ["bash", "-ec", script], directory: scene.place.path)
  }

  private func copy(_ scene: Scene, _ arguments: String...) throws -> Outcome {
    try run(Self.nobody + [scene.place("fastcp")] + arguments, directory: scene.place.path)
  }

  private func modes(_ scene: Scene, _ names: String) throws -> String {
    try scene.shell("echo -n $(stat -c %a \(names))")
  }

  @Test(
    "A rerun changes what differs, and the directories keep the modes of their sources (T13)",
    arguments: [
      ["-aT"], ["-aT", "--delete"], ["-aT", "--resume", "--delete"], ["-aT", "--atomic"],
      ["-aT", "--delete", "--durable", "--verify"],
    ]
  )
  func rerun(options: [String]) throws {
    let scene = try scene(
      """
      mkdir -p s/a/b s/c; for d in s/a s/a/b s/c; do echo 1 >$d/f; done; chmod 555 s/a s/a/b
      chmod 500 s/c
      """
    )
    let command = Self.nobody + [scene.place("fastcp")] + options + ["s", "to"]
    for change in [
      ":", "chmod 755 s/a/b; echo 2 >s/a/b/new; echo 22 >s/a/b/f; chmod 555 s/a/b",
      "chmod 755 s/a; mkdir s/a/d; echo 3 >s/a/d/f; chmod 555 s/a/d s/a",
    ] {
      try self.change(scene, change)
      let outcome = try run(command, directory: scene.place.path)
      #expect(outcome.succeeded && outcome.errors.isEmpty, "\(outcome)")
      #expect(try scene.differences("to", "s") == [])
    }
    if options.contains("--delete") {
      try self.change(scene, "chmod -R u+w s/a; rm -r s/a/d s/a/b/f; chmod 555 s/a/b s/a")
      let outcome = try run(command, directory: scene.place.path)
      #expect(outcome.succeeded && outcome.errors.isEmpty, "\(outcome)")
      #expect(try scene.differences("to", "s") == [])
    }
  }

  @Test("Without preserved modes, each directory gets its former mode back (T13)")
  func formerModes() throws {
    let scene = try scene(
      """
      mkdir -p s/a/b s/c to/a/b to/c/gone; echo 1 >s/a/f; echo 2 >s/a/b/f; echo 3 >s/c/f
      chmod 2555 to/a; chmod 500 to/a/b to/c/gone; chmod 0 to/c
      """
    )
    for options in ["-rT", "-rTp", "-rT"] {
      let mode = options == "-rTp" ? "--no-preserve=mode" : "--delete"
      let outcome = try copy(scene, options, mode, "s", "to")
      #expect(outcome.succeeded, "\(outcome)")
      #expect(try modes(scene, "to/a to/a/b to/c") == "2555 500 0")
    }
    #expect(try scene.shell("cat to/a/f to/a/b/f to/c/f; ls to/c") == "1\n2\n3\nf\n")
    // Directories on the path of an operand keep their metadata.
    try change(scene, "mkdir -p t/s/a; chmod 555 t/s/a t/s")
    #expect(try copy(scene, "-r", "--parents", "s/a/f", "s/c", "t").succeeded)
    #expect(try modes(scene, "t/s t/s/a") == "555 555")
    #expect(try scene.shell("cat t/s/a/f t/s/c/f") == "1\n3\n")
  }

  @Test("After errors each directory has its mode (T13)", arguments: ["-a", "-r"])
  func errors(option: String) throws {
    let scene = try scene(
      "mkdir -p s/a s/b to/a to/b; echo 1 >s/a/f; echo 2 >s/b/f; chmod 555 s/*; chmod 500 to/*"
    )
    try scene.shell("echo 3 >s/a/closed; chmod 600 s/a/closed")
    for stop in ["--progress=never", "--fail-fast"] {
      let outcome = try copy(scene, option, "-T", "--jobs=1", stop, "s", "to")
      #expect(outcome.status == 1)
      #expect(
        outcome.errorLines.first
          == "fastcp: cannot open 's/a/closed' for reading: Permission denied",
        "\(outcome)"
      )
      let modes = try modes(scene, "to/a to/b")
      let former = option == "-r" ? "500" : "555"
      #expect(modes.hasPrefix(former) && (modes.hasSuffix(former) || stop == "--fail-fast"))
      #expect(!modes.contains("7"), "\(modes)")
    }
  }

  @Test(
    "After a signal each directory has its mode (T13)",
    arguments: [("-a", 2), ("-r", 2), ("-a", 15), ("-r", 15)] as [(String, Int32)]
  )
  func signals(option: String, signal: Int32) throws {
    let scene = try scene(
      """
      mkdir -p s/a/b to/a/b; head -c 9000000 /dev/zero >s/a/b/f; chmod 555 s/a/b s/a
      chmod 500 to/a/b to/a
      """
    )
    let copy = try ChildProcess(
      Self.nobody
        + [scene.place("fastcp"), option, "-T", "--reflink=never", "--bwlimit=1M", "s", "to"],
      directory: scene.place.path
    )
    try scene.shell("until [ $(stat -c %a to/a/b) = 700 ]; do sleep 0.01; done")
    copy.send(signal: signal)
    #expect(try copy.wait().signal == signal)
    #expect(try modes(scene, "to/a to/a/b") == (option == "-r" ? "500 500" : "555 555"))
  }

  @Test("Directories that are removed are widened, and those that stay are not changed (T13)")
  func removals() throws {
    let scene = try scene(
      """
      mkdir -p s to/gone/x/y to/stays/x/y to/closed/x; echo 1 >s/f; echo 2 >to/gone/x/y/f
      echo 3 >to/stays/x/y/f; echo 4 >to/stays/x/keep; echo 5 >to/closed/x/f
      find to/gone to/stays to/closed -depth -type d -exec chmod 555 {} +
      chmod 0 to/gone/x/y to/stays/x/y; chmod 500 to/stays/x
      """
    )
    let dry = try copy(scene, "-rT", "--delete", "--exclude=keep", "--dry-run", "s", "to")
    #expect(!dry.succeeded)
    #expect(try modes(scene, "to/gone/x/y to/stays to/stays/x to/closed") == "0 555 500 555")
    let outcome = try copy(scene, "-rT", "--delete", "--exclude=keep", "s", "to")
    #expect(outcome.succeeded, "\(outcome)")
    #expect(
      try scene.shell("cd to; find . | LC_ALL=C sort")
        == ".\n./f\n./stays\n./stays/x\n./stays/x/keep\n"
    )
    #expect(try modes(scene, "to/stays to/stays/x") == "555 500")
    // The limit ends the removal inside a directory.
    try change(scene, "mkdir -p to/n/m/o; chmod 555 to/n/m to/n")
    let limited = try copy(
      scene,
      "-rT",
      "--delete",
      "--max-delete=2",
      "--exclude=keep",
      "s",
      "to"
    )
    #expect(limited.status == 1)
    #expect(try modes(scene, "to/n to/n/m") == "555 555")
  }

  @Test("Directories of other users stay as they are (T13)")
  func foreign() throws {
    let scene = try scene("mkdir -p s/a to/a to/gone/x; echo 1 >s/a/f; echo 2 >s/g")
    try scene.shell("touch to/gone/x/f; chmod 555 to/a to/gone/x; chown -R root to/a to/gone/x")
    let outcome = try copy(scene, "-rT", "--delete", "s", "to")
    #expect(outcome.status == 1)
    #expect(
      outcome.errorLines.sorted() == [
        "fastcp: cannot create regular file 'to/a/f': Permission denied",
        "fastcp: cannot remove 'to/gone/x/f': Permission denied",
      ],
      "\(outcome)"
    )
    #expect(try modes(scene, "to/a to/gone/x") == "555 555")
  }
}
