import IOChannelsTestSupport
import Testing

/// The command works where the process may use little of the system.
@Suite("Poor surroundings")
struct SurroundingsTests {
  @Test("The working directory need not be open to the process", .needs(.root))
  func closedWorkingDirectory() throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "bash", "-ec",
        """
        chmod 755 .; mkdir -m 700 closed; mkdir -m 777 s to; echo 1 >s/f; cp "$PROGRAM" program
        cd closed
        setpriv --reuid=65534 --regid=65534 --clear-groups ../program -r "$PLACE/s" "$PLACE/to" \
          2>&1 || true
        cat ../to/s/f
        """,
      ],
      environment: ["PROGRAM": BuiltProgram.fastcp.path, "PLACE": place.path],
      directory: place.path
    )
    #expect(outcome.succeeded, "\(outcome)")
    #expect(outcome.outputText == "1\n")
  }

  @Test("A mistyped backend is refused before anything is copied")
  func mistypedBackend() throws {
    let place = try TemporaryDirectory()
    try place.write([1], to: "f")
    let outcome = try run(
      [BuiltProgram.fastcp.path, "f", "g"],
      environment: ["IOCHANNELS_BACKEND": "uringg", "LC_ALL": "C"],
      directory: place.path
    )
    #expect(outcome.status == 1)
    #expect(
      outcome.errorText == """
        fastcp: invalid argument 'uringg' for '$IOCHANNELS_BACKEND'
        Valid arguments are:
          - 'auto'
          - 'uring'
          - 'threads'
        Try 'fastcp --help' for more information.

        """
    )
    #expect(try names(in: place.path) == ["f"])
    for value in ["", "auto", "uring", "threads"] {
      try runSuccessfully(
        [BuiltProgram.fastcp.path, "f", "g"],
        environment: ["IOCHANNELS_BACKEND": value],
        directory: place.path
      )
    }
  }

  @Test("A limit that is no number of its range is an error (S215)")
  func mistypedLimit() throws {
    let place = try TemporaryDirectory()
    try place.write([1], to: "f")
    for variable in ["IOCHANNELS_MEMORY", "IOCHANNELS_THREADS", "IOCHANNELS_WAITING_THREADS"] {
      let outcome = try run(
        [BuiltProgram.fastcp.path, "f", "g"],
        environment: [variable: "many", "LC_ALL": "C"],
        directory: place.path
      )
      #expect(outcome.status == 1)
      #expect(outcome.errorText == "fastcp: invalid number in $\(variable): 'many'\n")
    }
    #expect(try names(in: place.path) == ["f"])
  }

  /// The names in a directory, in order.
  private func names(in directory: String) throws -> [String] {
    try runSuccessfully(["ls", "-A", directory]).split(separator: "\n").map(String.init)
  }

  @Test("Files are copied without /proc, with the modes of the mask", .needs(.root))
  func withoutProc() throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "unshare", "-m", "bash", "-ec",
        """
        mkdir s; echo 1 >s/f; head -c 1000000 /dev/zero >s/g; chmod 666 s/f
        mount -t tmpfs none /proc; umask 027
        "$PROGRAM" -r s to; "$PROGRAM" -a s exact; cmp s/g to/g; cmp s/g exact/g
        stat -c %a to to/f exact/f; ls -A to
        """,
      ],
      environment: ["PROGRAM": BuiltProgram.fastcp.path],
      directory: place.path
    )
    #expect(outcome.succeeded, "\(outcome)")
    #expect(outcome.outputText == "750\n640\n666\nf\ng\n")
  }

  @Test("Nodes and owners that fakeroot invents are copied (T23, T35)", .needs(.fakeroot))
  func fakeroot() throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "fakeroot", "bash", "-ec",
        """
        mkdir s; mknod s/c c 1 3; mknod s/b b 7 1; mkfifo s/p; echo 1 >s/f; ln s/c s/d; ln -s f s/l
        chown 12:34 s/c s/f; chown -h 7:8 s/l; chmod 4711 s/f; chmod 640 s/b
        list() { (cd $1; stat -c '%n %F %a %u:%g %t,%T %h %s' *); }
        "$0" -a --dry-run s to; "$0" -a s to; "$0" -a s/. to; "$0" -a s/c one
        diff <(list s) <(list to); stat -c '%F %u:%g' one
        """, BuiltProgram.fastcp.path,
      ],
      directory: place.path
    )
    #expect(outcome.succeeded && outcome.errors.isEmpty, "\(outcome)")
    #expect(outcome.outputText.hasSuffix("character special file 12:34\n"), "\(outcome)")
  }

  @Test("A mask that takes the owner's bits stops no tree", .needs(.root), arguments: ["-r", "-a"])
  func narrowMask(option: String) throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "bash", "-ec",
        """
        chmod 755 .; mkdir -p s/in/deep; mkdir -m 777 to; echo 1 >s/in/deep/f; cp "$PROGRAM" program
        umask 777
        setpriv --reuid=65534 --regid=65534 --clear-groups ./program \(option) s to 2>&1 || true
        cat to/s/in/deep/f; stat -c %a to/s to/s/in
        """,
      ],
      environment: ["PROGRAM": BuiltProgram.fastcp.path],
      directory: place.path
    )
    #expect(outcome.succeeded, "\(outcome)")
    #expect(outcome.outputText == (option == "-r" ? "1\n0\n0\n" : "1\n755\n755\n"))
  }

  @Test(
    "A name that cannot be made leaves the next one to be copied",
    .needs(.root),
    arguments: ["ln -s nowhere", "mkfifo", "echo 1 >"]
  )
  func closedDirectories(make: String) throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "bash", "-ec",
        """
        chmod 755 .; mkdir -p s/open to/s/open; chmod 777 to/s/open; \(make) s/open/f
        for i in {1..9}; do mkdir s/$i to/s/$i; ln -P s/open/f s/$i; done
        cp "$PROGRAM" program
        setpriv --reuid=65534 --regid=65534 --clear-groups ./program -dr s to 2>&1 \
          | grep -c 'cannot create [rsf].*: Permission denied'
        stat -c %F s/open/f to/s/open/f | uniq | wc -l
        """,
      ],
      environment: ["PROGRAM": BuiltProgram.fastcp.path, "LC_ALL": "C"],
      directory: place.path
    )
    #expect(outcome.succeeded, "\(outcome)")
    let lines = outcome.outputText.split(separator: "\n")
    // Names that wait while another one is copied fail as further names of it.
    #expect(lines.last == "1")
    #expect((1...9).contains(Int(lines.first ?? "") ?? 0))
  }
}
