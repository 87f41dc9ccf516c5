import IOChannelsTestSupport
import Testing

/// Removals where the system calls that report mounts are refused, as sandboxes do.
@Suite("Removals where mounts are not reported", .needs(.root), .ends(withinMinutes: 10))
struct UnknownMountTests {
  #if arch(x86_64)
    private static let statx = 332
    private static let handle = 303
  #else
    private static let statx = 291
    private static let handle = 264
  #endif

  /// The numbers of the errors with which `statx` fails.
  private static let numbers = Tier.current == .full ? Array(1...133) : [1, 13, 38]

  private static let prepare = """
    mkdir -p s/d/e to/x/m to/d to/k other/e; echo 1 >s/f; echo 2 >s/d/g; echo 3 >s/d/e/h
    echo 4 >other/keep; echo 5 >other/e/keep; : >to/gone; : >to/x/y; : >to/file; echo 6 >s/k
    """

  private static let mount =
    "mount --bind s to/x/m; mount --bind other to/d; mount --bind s/f to/file"
  private static let unmount = "umount to/x/m to/d to/file"

  private static let lines = [
    "fastcp: cannot remove 'to/file': Device or resource busy",
    "fastcp: cannot remove 'to/x/m': Device or resource busy",
    "fastcp: cannot remove entries from 'to/d': Device or resource busy",
  ]

  private func check(_ scene: Scene, _ outcome: Outcome) throws {
    #expect(outcome.status == 1)
    #expect(outcome.errorLines.sorted() == Self.lines, "\(outcome)")
    #expect(try scene.shell("find s -type f | LC_ALL=C sort") == "s/d/e/h\ns/d/g\ns/f\ns/k\n")
    #expect(try scene.shell("cd other; cat keep e/keep e/h g; cat ../to/k") == "4\n5\n3\n2\n6\n")
  }

  @Test("Bind mounts keep their entries, whatever error statx returns (T57)", arguments: numbers)
  func errors(number: Int) throws {
    let scene = try Scene(Self.prepare)
    defer { _ = try? scene.shell(Self.unmount) }
    try scene.shell(Self.mount)
    for option in ["--dry-run", "-v"] {
      let outcome = try scene.copy(
        "-aT",
        "--delete",
        option,
        "s",
        "to",
        behind: ["strace", "-f", "-qq", "-o", "log", "-e", "inject=statx:error=\(number)"]
      )
      #expect(outcome.errorLines.sorted() == Self.lines, "\(outcome)")
      if option == "-v" { try check(scene, outcome) }
    }
    #expect(try scene.shell("grep -c INJECTED log") != "0\n")
  }

  @Test("Bind mounts keep their entries if a filter refuses statx, and without /proc too (T57)")
  func filtered() throws {
    for hidden in ["", "mount -t tmpfs none /proc; "] {
      let scene = try Scene(Self.prepare)
      let outcome = try run(
        [
          "unshare", "-m", "bash", "-ec",
          "\(Self.mount); \(hidden)exec '\(BuiltProgram.sandboxrun.path)' deny=\(Self.statx):1 "
            + "-- '\(BuiltProgram.fastcp.path)' -aT --delete s to",
        ],
        directory: scene.place.path
      )
      try check(scene, outcome)
      #expect(try scene.shell("ls to/gone to/x/y 2>/dev/null | wc -l") == "0\n")
    }
  }

  @Test("Nothing is removed if no mount is known, which one line reports (T57)")
  func unknown() throws {
    for option in ["--dry-run", "-v"] {
      let scene = try Scene(Self.prepare)
      let outcome = try run(
        [
          "unshare", "-m", "bash", "-ec",
          "\(Self.mount); mount -t tmpfs none /proc; exec '\(BuiltProgram.sandboxrun.path)' "
            + "deny=\(Self.statx):1 deny=\(Self.handle):1 -- '\(BuiltProgram.fastcp.path)' "
            + "-aT --delete \(option) s to",
        ],
        directory: scene.place.path
      )
      #expect(outcome.status == 1)
      // A name of another kind stays as well.
      #expect(
        outcome.errorLines.sorted() == [
          "fastcp: cannot overwrite directory 'to/k' with non-directory 's/k'",
          "fastcp: cannot remove entries from 'to', whose mount is unknown: "
            + "Function not implemented",
        ],
        "\(outcome)"
      )
      #expect(try scene.shell("cat other/keep; ls to to/x") == Self.left(option))
    }
  }

  private static func left(_ option: String) -> String {
    "4\nto:\nd\n\(option == "-v" ? "f\n" : "")file\ngone\nk\nx\n\nto/x:\nm\ny\n"
  }
}
