import IOChannelsTestSupport
import Testing

/// Sources that keep their paths, and links that stand for directories.
@Suite("Paths at the destination")
struct ParentTests {
  @Test(
    "Directories on the path are made and described (T1, T13)",
    arguments: [
      Twin("--parents", "-v", "d/h", "to", after: "mkdir to; chmod 750 d"),
      Twin(
        "--parents",
        "-p",
        "p/q/f",
        "to",
        after: """
          mkdir -p to p/q; echo 1 >p/q/f; chmod 711 p; chmod 770 p/q; chown 12:34 p
          """
      ),
      Twin("--parents", "-rv", "d/sub", "to", after: "mkdir to; echo 1 >d/sub/x"),
      Twin("--parents", "-a", "d", "f", "to", after: "mkdir to"),
      Twin("--parents", "d/h", "p/f", "d/k", "to", after: "mkdir to p; echo 1 >p/f; echo 2 >d/k"),
      Twin("--parents", "f", "g"), Twin("--parents", "no/f", "d"), Twin("--parents", "f/x", "d"),
      Twin("--parents", "d/none", "to", after: "mkdir to"),
      Twin("--parents", "d/h", "to", after: "mkdir to; echo 1 >to/d"),
      Twin("--parents", "d/h", "to", after: "mkdir to; ln -s none to/d"),
      Twin("--parents", "d/h", "to", after: "mkdir to; chmod 755 .").asNobody(),
      Twin("--parents", "/etc/passwd", "d"), Twin("--parents", "ld/h", "to", after: "mkdir to"),
      Twin("--parents", "./d/h", "to", after: "mkdir to"), Twin("--parents", "-t", "d", "f"),
      Twin("--parents", "-d", "d/h", "d/k", "to", after: "mkdir to; ln d/h d/k"),
      Twin("--parents", "d/h", "e/h", "to", after: "mkdir e to; ln d/h e/h"),
      Twin("--parents", "f", "./f", "d/../f", "to", after: "mkdir to"),
      Twin("--parents", "-r", "d", "./d", "to", after: "mkdir to"),
    ]
  )
  func parents(twin: Twin) throws { try twin.compare() }

  @Test("A link to a directory on the path is used as one only where that is requested (T6)")
  func linksOnPaths() throws {
    let place = try TemporaryDirectory()
    let script = """
      mkdir -p a/b to real; echo 1 >a/b/f; ln -s ../real to/a
      "$0" --parents a/b/f to 2>&1 || ls real
      "$0" --parents --keep-directory-symlink a/b/f to; cat real/b/f
      """
    let text = try runSuccessfully(
      ["bash", "-ec", script, BuiltProgram.fastcp.path],
      environment: ["LC_ALL": "C"],
      directory: place.path
    )
    #expect(text == "fastcp: 'to/a' exists but is not a directory\n1\n")
  }

  @Test("A link to a directory is used as one where that is asked for (T6, T42)")
  func keptLinks() throws {
    let place = try TemporaryDirectory()
    let script = """
      mkdir -p s/a t/s real; echo 1 >s/a/f; ln -s ../../real t/s/a
      "$0" -r s t 2>&1 || true; ls real; "$0" -r --keep-directory-symlink s t; ls real
      readlink t/s/a; mkdir u; ln -s ../real u/s; "$0" -r --keep-directory-symlink s u; ls real
      """
    let outcome = try run(
      ["bash", "-ec", script, BuiltProgram.fastcp.path],
      environment: ["LC_ALL": "C"],
      directory: place.path
    )
    #expect(
      outcome.outputText == """
        fastcp: cannot overwrite non-directory 't/s/a' with directory 's/a'
        f
        ../../real
        a
        f

        """,
      "\(outcome)"
    )
  }

  @Test("Rules of --update, which cp 9.1 does not know (T8, T9)")
  func updateWords() throws {
    let place = try TemporaryDirectory()
    let script = """
      r() { echo 1 >f; echo 2 >g; touch -d "$1" g; shift; s=0; "$P" "$@" f g </dev/null 2>&1 || s=$?
        echo $s $(cat g); }
      r now --update=all; r tomorrow --update=older; r 2000-01-01 --update=older
      r now --update=none; r now --update=none-fail; r tomorrow -n --update=older
      r 2000-01-01 -n --update=older; r now --update=none -i; r now -i --update=all
      r now --update=bad
      """
    let outcome = try run(
      ["bash", "-ec", script],
      environment: ["LC_ALL": "C", "P": BuiltProgram.fastcp.path],
      directory: place.path
    )
    #expect(
      outcome.outputText == """
        0 1
        0 2
        0 1
        0 2
        fastcp: not replacing 'g'
        1 2
        0 2
        0 2
        0 2
        fastcp: overwrite 'g'? 1 2
        fastcp: invalid argument 'bad' for '--update'
        Valid arguments are:
          - 'all'
          - 'none'
          - 'none-fail'
          - 'older'
        Try 'fastcp --help' for more information.
        1 2

        """,
      "\(outcome)"
    )
  }
}
