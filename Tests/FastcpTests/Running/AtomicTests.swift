import IOChannelsTestSupport
import Testing

/// With `--atomic` a name has the old file or the whole new one.
@Suite("Atomic copies", .ends(withinMinutes: 10))
struct AtomicTests {
  private func shell(
    _ script: String,
    in place: TemporaryDirectory,
    environment: [String: String?] = [:]
  ) throws -> Outcome {
    try run(
      ["bash", "-c", script],
      environment: ["CP": BuiltProgram.fastcp.path, "LC_ALL": "C"].merging(environment) { $1 },
      directory: place.path
    )
  }

  @Test("An existing file is replaced: its other names and its readers keep the old bytes")
  func replacing() throws {
    for size in ["10", "300000"] {
      let place = try TemporaryDirectory()
      let outcome = try shell(
        """
        head -c \(size) /dev/urandom >f; chmod 644 f; echo old >g; chmod 750 g; ln g other
        exec 3<g; before=$(stat -c %i g); "$CP" --atomic f g || exit
        cmp f g && cat other - <&3; [ $before = $(stat -c %i g) ] || echo new; stat -c %a g; ls -A
        """,
        in: place
      )
      #expect(outcome.outputText == "old\nold\nnew\n750\nf\ng\nother\n", "\(outcome)")
    }
  }

  @Test("While a copy is under way the old file has the name, and after an interrupt too (F14)")
  func underWay() throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(["bash", "-c", "mkfifo p; echo old >g"], directory: place.path)
    let copy = try ChildProcess(
      [BuiltProgram.fastcp.path, "--atomic", "p", "g"],
      directory: place.path
    )
    // Writes into a FIFO end when somebody has read as much as it does not hold.
    let writer = try ChildProcess(
      ["bash", "-c", "exec 3>p; head -c 300000 /dev/zero >&3; : >written; exec sleep 100"],
      directory: place.path
    )
    defer { writer.send(signal: 9) }
    while try !run(["test", "-e", place("written")]).succeeded { _ = try run(["sleep", "0.01"]) }
    #expect(try runSuccessfully(["cat", place("g")]) == "old\n")
    copy.send(signal: 15)
    #expect(try copy.wait().signal == 15)
    #expect(try runSuccessfully(["cat", place("g")]) == "old\n")
    #expect(try runSuccessfully(["ls", "-A", place.path]) == "g\np\nwritten\n")
  }

  @Test("A refused renaming is an error, and leaves everything as it was", .needs(.root))
  func mountPoint() throws {
    for size in ["10", "300000"] {
      let place = try TemporaryDirectory()
      let outcome = try run(
        [
          "unshare", "-m", "bash", "-c",
          """
          head -c \(size) /dev/zero >f; echo old >g; echo other >h; mount --bind h g
          "$CP" --atomic f g; echo $?; cat g; ls -A
          """,
        ],
        environment: ["CP": BuiltProgram.fastcp.path, "LC_ALL": "C"],
        directory: place.path
      )
      #expect(outcome.outputText == "1\nother\nf\ng\nh\n", "\(outcome)")
      #expect(
        outcome.errorLines == ["fastcp: cannot create regular file 'g': Device or resource busy"]
      )
    }
  }

  @Test("Names of 255 bytes leave room for what is hidden beside them (T38)")
  func longNames() throws {
    let place = try TemporaryDirectory()
    let outcome = try shell(
      """
      n=$(printf 'n%.0s' {1..255}); mkdir s to; echo new >s/$n; head -c 300000 /dev/zero >s/${n%n}x
      mkdir to/s; echo old >to/s/$n; echo old >to/s/${n%n}x; "$CP" -r --atomic s to || exit
      diff -r s to/s && ls -A to/s | wc -l
      """,
      in: place
    )
    #expect(outcome.outputText == "2\n", "\(outcome)")
  }

  @Test("A link gives way and its target stays; a device is written to", .needs(.root))
  func others() throws {
    let place = try TemporaryDirectory()
    let outcome = try shell(
      """
      echo new >f; echo old >target; ln -s target l; ln -s nowhere dangling; mknod null c 1 3
      mkdir dir; "$CP" --atomic f l; "$CP" --atomic f dangling; "$CP" --atomic f null
      "$CP" --atomic -T f dir; "$CP" --atomic f f; ln f same; "$CP" --atomic f same
      cat target l dangling; stat -c '%F' l dangling null
      """,
      in: place
    )
    #expect(
      outcome.outputText
        == "old\nnew\nnew\nregular file\nregular file\ncharacter special file\n",
      "\(outcome)"
    )
    #expect(
      outcome.errorLines == [
        "fastcp: cannot overwrite directory 'dir' with non-directory 'f'",
        "fastcp: 'f' and 'f' are the same file", "fastcp: 'f' and 'same' are the same file",
      ]
    )
  }

  @Test("A full file system leaves the old file whole (T31, F3)", .needs(.root))
  func full() throws {
    let small = try MemoryFileSystem(kibibytes: 256)
    let place = try TemporaryDirectory()
    let outcome = try shell(
      """
      head -c 100000 /dev/urandom >"$TO/g"; cp "$TO/g" old; head -c 200000 /dev/zero >f
      "$CP" --atomic f "$TO/g" 2>/dev/null; echo $?; cmp old "$TO/g" && ls -A "$TO"
      """,
      in: place,
      environment: ["TO": small.path]
    )
    #expect(outcome.outputText == "1\ng\n", "\(outcome)")
  }

  @Test("No file that exists is opened to be written, and none is removed before its copy is there")
  func calls() throws {
    let place = try TemporaryDirectory()
    let outcome = try shell(
      """
      mkdir s; echo 1 >s/f; head -c 300000 /dev/zero >s/g; ln -s f s/l; ln s/f s/h; mkfifo s/p
      "$CP" -a s to; echo 2 >s/f; echo >>s/g; ln -sf g s/l
      strace -f -e trace=openat,unlinkat,renameat2,renameat,rename -o log "$CP" -a --atomic s/. to
      diff -r --exclude=p s to; grep -E 'O_WRONLY|O_RDWR' log | grep -vE 'TMPFILE|"\\.fastcp-' >&2
      grep unlinkat log | grep -vE 'resumed|"\\.fastcp-' >&2; exit 0
      """,
      in: place
    )
    #expect(outcome.succeeded && outcome.errors.isEmpty, "\(outcome)")
    #expect(outcome.outputText.isEmpty, "\(outcome)")
  }

  @Test("A new file's mode is that of one that is not atomic", arguments: ["", "-p", "-a"])
  func modes(option: String) throws {
    let place = try TemporaryDirectory()
    let outcome = try shell(
      """
      umask 027; mkdir s; for m in 600 644 755 4755 666; do echo 1 >s/$m; chmod $m s/$m; done
      mkdir acl; setfacl -d -m u:nobody:rwx acl; mkdir plain
      for to in acl plain; do
        "$CP" -r \(option) s $to/one; "$CP" -r --atomic \(option) s $to/two
        (cd $to/one; getfacl -R .) >1; (cd $to/two; getfacl -R .) >2; cmp 1 2
      done
      """,
      in: place
    )
    #expect(outcome.succeeded && outcome.output.isEmpty, "\(outcome)")
  }

  @Test("A user without a right to the old file gets none by the list of its directory (T44)")
  func replacedRights() throws {
    for (size, options) in [("10", ""), ("300000", ""), ("10", "--preserve=timestamps")] {
      let place = try TemporaryDirectory()
      let outcome = try shell(
        """
        head -c \(size) /dev/urandom >f; chmod 600 f; mkdir d; echo old >d/f; chmod 664 d/f
        setfacl -d -m u:nobody:rwx d; "$CP" --atomic \(options) f d && getfacl -cE d/f && cmp f d/f
        """,
        in: place
      )
      #expect(outcome.succeeded, "\(outcome)")
      #expect(outcome.outputText == "user::rw-\ngroup::rw-\nother::r--\n\n", "\(outcome)")
    }
  }

  @Test("Trees are equal whatever was there before", arguments: [false, true])
  func trees(exists: Bool) throws {
    let tree = try SeededTree(files: 300, options: ["--odd", "--large", "3", "--holes"])
    let target = try TemporaryDirectory()
    if exists {
      try runSuccessfully([BuiltProgram.fastcp.path, "-a", tree.path, target("copy")])
      try runSuccessfully([
        "find", target("copy"), "-type", "f", "-exec", "truncate", "-s+1", "{}", "+",
      ])
    }
    let outcome = try run(
      [BuiltProgram.fastcp.path, "-a", "--atomic", "-T", tree.path, target("copy")]
    )
    #expect(outcome.succeeded, "\(outcome)")
    let copy = try TreeListing(of: target("copy"))
    #expect(copy.differences(from: try TreeListing(of: tree.path)) == [])
  }
}
