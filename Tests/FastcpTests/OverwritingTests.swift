import IOChannelsTestSupport
import Testing

/// What happens to files that are in the way: the same as with cp.
@Suite("Existing files")
struct OverwritingTests {
  @Test(
    "Questions and refusals, of which the last one counts (T8)",
    arguments: [
      Twin("-i", "f", "g").answering("y"), Twin("-i", "f", "g").answering("n").declining(),
      Twin("-i", "f", "g").answering("Yes"), Twin("-i", "f", "g").answering("''").declining(),
      Twin("-i", "f", "g").calling("\"$0\" \"$@\" </dev/null").declining(),
      Twin("-n", "f", "g"), Twin("-in", "f", "g"), Twin("-ni", "f", "g").answering("y"),
      Twin("-if", "f", "g").answering("y"), Twin("-i", "f", "new").answering("n"),
      Twin("-nv", "f", "new"), Twin("-nv", "f", "g"), Twin("-n", "f", "f"), Twin("-i", "f", "f"),
      Twin("-ri", "d", "t", after: "mkdir -p t/d; echo 1 >t/d/h").answering("n").declining(),
      Twin("-riv", "d", "f", "t", after: "mkdir -p t/d; echo 1 >t/d/h; echo 2 >t/f")
        .answering("y", "n").declining(),
      Twin("-rn", "d", "t", after: "mkdir -p t/d; echo 1 >t/d/h"),
      Twin("-n", "f", "d", after: "mkdir d/f"),
      Twin("-i", "f", "g", after: "chmod 444 g")
        .answering("y"),
      Twin("-f", "f", "g", after: "chmod 444 g"),
      Twin("-fv", "f", "loop", after: "ln -s loop loop"),
      Twin("-f", "f", "dang"), Twin("-fv", "f", "l2", after: "ln -s g l2"),
      Twin("--remove-destination", "-v", "f", "g"), Twin("--remove-destination", "f", "l"),
      Twin("--remove-destination", "-v", "f", "dang"), Twin("--remove-destination", "f", "f"),
      Twin("--remove-destination", "f", "f2", after: "ln f f2"),
      Twin("--remove-destination", "l", "f"), Twin("--remove-destination", "-d", "l", "f"),
      Twin("-r", "--remove-destination", "-v", "d", "t", after: "mkdir -p t/d; echo 1 >t/d/h"),
    ]
  )
  func questions(twin: Twin) throws { try twin.compare() }

  @Test(
    "With POSIXLY_CORRECT the file that a dangling link names is created (T7)",
    arguments: [
      Twin("f", "dang"), Twin("-v", "f", "dang"), Twin("-p", "f", "dang", after: "chmod 640 f"),
      Twin("f", "dang", after: "chmod 755 f"), Twin("-a", "f", "dang"), Twin("-f", "f", "dang"),
      Twin("-n", "f", "dang"), Twin("-u", "f", "dang"), Twin("-b", "f", "dang"),
      Twin("--remove-destination", "f", "dang"), Twin("--attributes-only", "f", "dang"),
      Twin("-r", "f", "dang"), Twin("-d", "l", "dang"), Twin("-d", "dang", "l"),
      Twin("--parents", "f", "t", after: "mkdir t; ln -s ../gone t/f"),
      Twin("f", "two", after: "ln -s dang two"), Twin("f", "two", after: "ln -s no/file two"),
      Twin("f", "two", after: "ln -s no/ two"), Twin("-f", "f", "two", after: "ln -s no/ two"),
      Twin("large", "dang", after: "yes | head -c 300000 >large"),
    ]
  )
  func danglingLinks(twin: Twin) throws {
    try twin.calling("export POSIXLY_CORRECT=1; exec \"$0\" \"$@\"").compare()
  }

  @Test("A file whose backup would have too long a name stays as it is (T10)")
  func longNames() throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "bash", "-ec",
        """
        n=$(printf %0255d 1); echo new >f; echo old >$n
        for option in -b --backup=numbered; do "$0" $option f $n 2>e && exit 9; [ $? = 1 ]; done
        [ "$(cat $n)" = old ]; grep -q 'cannot backup .*: File name too long$' e
        """, BuiltProgram.fastcp.path,
      ],
      directory: place.path
    )
    #expect(outcome.succeeded, "\(outcome)")
  }

  @Test(
    "A dangling link inside a tree is a failure, whatever protects existing files (T7)",
    arguments: [["-r"], ["-rn"], ["-ri"], ["-ru"], ["-rf"], ["-a"], ["-r", "--update=none"]]
  )
  func danglingLinksOfTrees(options: [String]) throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "bash", "-ec",
        """
        mkdir d t; echo 1 >d/h; ln -s nowhere t/h; ls -l t >before
        "$0" "$@" d/. t </dev/null && exit 9; [ $? = 1 ]; ls -l t | cmp - before
        """, BuiltProgram.fastcp.path,
      ] + options,
      directory: place.path
    )
    #expect(outcome.errorText == "fastcp: not writing through dangling symlink 't/./h'\n")
    #expect(outcome.succeeded, "\(outcome)")
  }

  @Test("Names that are one file end as one of their copies (T4)", arguments: ["ln", "ln -rs"])
  func namesOfOneFile(link: String) throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "bash", "-ec",
        """
        mkdir s d; echo old >one
        for i in {1..16}; do yes $i | head -c $((i * 200000)) >s/$i || :; \(link) one d/$i; done
        for round in {1..5}; do
          "$0" s/* d; cmp s/9 one
          if [ "$(readlink d/1)" ]; then continue; fi
          "$0" -r s/. d
          for i in {1..16} none; do if cmp -s s/$i one; then break; fi; done; [ $i != none ]
        done
        """, BuiltProgram.fastcp.path,
      ],
      directory: place.path
    )
    #expect(outcome.succeeded, "\(outcome)")
  }

  @Test(
    "A FIFO or device of another file system gets the bytes in order (T34)",
    .needs(.root),
    arguments: ["", "--direct", "--sparse=never", "--reflink=never", "--atomic"]
  )
  func otherKinds(option: String) throws {
    let place = try TemporaryDirectory()
    let other = try MemoryFileSystem(kibibytes: 64)
    let outcome = try run(
      [
        "bash", "-ec",
        """
        mkfifo "$1/p" p; mknod "$1/null" c 1 3; head -c 300000 /dev/urandom >f
        for to in p "$1/p"; do
          cat "$to" >read & "$0" \(option) f "$to"; wait $!; cmp f read
        done
        "$0" \(option) f "$1/null"; [ -c "$1/null" ] && [ -p "$1/p" ]
        """, BuiltProgram.fastcp.path, other.path,
      ],
      directory: place.path,
      timeout: .seconds(60)
    )
    #expect(outcome.succeeded && outcome.errors.isEmpty, "\(outcome)")
  }

  @Test("A file that cannot be opened is removed with -f, after a question (T8)", .needs(.root))
  func force() throws {
    let sandbox = "\(BuiltProgram.sandboxrun.path) nocaps=1 -- \"$0\" \"$@\""
    let stranger = """
      t=$(mktemp -d); chmod 755 $t; cp "$(command -v "$0")" $t; chmod 777 .
      PATH="$t:$PATH" setpriv --reuid=65534 --regid=65534 --clear-groups ${0##*/} "$@"
      s=$?; rm -r $t; exit $s
      """
    let prepare = "chmod 444 g"
    for options in ["-fv", "-v", "-pf"] {
      try Twin(options, "f", "g", after: prepare).calling(sandbox).compare()
    }
    for options in ["-i", "-fi"] {
      try Twin(options, "f", "g", after: prepare).calling("exec <<<n; \(stranger)").declining()
        .compare()
      try Twin(options, "f", "g", after: "chmod 4541 g").calling("exec <<<y; \(stranger)").compare()
    }
  }

  @Test(
    "Only older files are replaced, and names are linked all the same (T9)",
    arguments: [
      Twin("-uv", "f", "g", after: "touch -d 2000-01-01 f"),
      Twin("-uv", "f", "g", after: "touch -d 2000-01-01 g"),
      Twin("-uv", "f", "g", after: "touch -r f g"), Twin("-uv", "f", "new"),
      Twin("-upv", "f", "g", after: "touch -d 2020-01-01T00:00:00.7 f; touch -d 2020-01-01 g"),
      Twin("-u", "f", "d", after: "mkdir d/f; touch -d 2000-01-01 f"), Twin("-u", "f", "f"),
      Twin(
        "-au",
        "q",
        "to",
        after: """
          mkdir -p q to/q; echo 1 >q/a; ln q/a q/b; echo 2 >to/q/a; echo 2 >to/q/b
          touch -d 2000-01-01 q/a
          """
      ),
      Twin("-ui", "f", "g", after: "touch -d 2000-01-01 g").answering("n").declining(),
    ]
  )
  func update(twin: Twin) throws { try twin.compare() }

  @Test(
    "Backups are named, made first and never of the source (T10)",
    arguments: [
      Twin("-bv", "f", "g"), Twin("-b", "f", "new"), Twin("--backup=numbered", "-v", "f", "g"),
      Twin("--backup=t", "f", "g", after: "echo 1 >g.~1~; echo 9 >g.~9~; echo x >g.~x~"),
      Twin("-b", "f", "g", after: "echo 9 >g.~9~"), Twin("-b", "f", "g", after: "echo 9 >g.~09~"),
      Twin("--backup=simple", "f", "g", after: "echo 9 >g.~9~"), Twin("--backup=off", "f", "g"),
      Twin("-S", ".old", "-v", "f", "g"), Twin("-b", "-S", "a/b", "f", "g"),
      Twin("-S", "", "f", "g"), Twin("--backup=foo", "f", "g"), Twin("--backup=n", "f", "g"),
      Twin("--backup=num", "f", "g"), Twin("-b", "f", "f"),
      Twin("-b", "f~", "f", after: "echo 1 >f~"),
      Twin("--backup=t", "f~", "f", after: "echo 1 >f~"),
      Twin("-bv", "f", "l"), Twin("-b", "l", "f"), Twin("-bd", "l", "f"), Twin("-b", "f", "dang"),
      Twin("-b", "f", "f2", after: "ln f f2"), Twin("-b", "f", "d", after: "mkdir d/f"),
      Twin("-rbv", "d", "t", after: "mkdir -p t/d; echo 1 >t/d/h"),
      Twin("-ab", "d", "t", after: "mkdir -p t/d; echo 1 >t/d/h; ln d/h d/k; echo 2 >t/d/k"),
      Twin("-b", "a/f", "b/f", "t", after: "mkdir a b t; echo 1 >a/f; echo 2 >b/f"),
      Twin("--backup=t", "a/f", "b/f", "t", after: "mkdir a b t; echo 1 >a/f; echo 2 >b/f"),
      Twin("-bv", "none", "g", after: "echo 1 >none; chmod 0 none").calling(
        "\(BuiltProgram.sandboxrun.path) nocaps=1 -- \"$0\" \"$@\""
      ),
      Twin("-b", "f", "g").calling("VERSION_CONTROL=numbered exec \"$0\" \"$@\""),
      Twin("-b", "f", "g").calling("VERSION_CONTROL=bad exec \"$0\" \"$@\""),
      Twin("-b", "f", "g").calling("SIMPLE_BACKUP_SUFFIX=.bak exec \"$0\" \"$@\""),
      Twin("-b", "--backup=simple", "f", "g").calling("VERSION_CONTROL=t exec \"$0\" \"$@\""),
    ]
  )
  func backups(twin: Twin) throws { try twin.compare() }

  @Test("An empty file that is overwritten with no bytes gets a new time (T15)")
  func emptyFiles() throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "bash", "-ec",
        """
        : >empty; mkdir d
        for source in empty /dev/null; do
          : >g; touch -d 2001-01-01 empty g
          "$0" --attributes-only $source g; [ ! "$(find g -newermt 2002-01-01)" ]
          "$0" $source g; [ "$(find g -newermt 2002-01-01)" ]
        done
        : >d/empty; touch -d 2001-01-01 d/empty
        "$0" -r empty d; [ "$(find d/empty -newermt 2002-01-01)" ]
        "$0" -p empty d; [ ! "$(find d/empty -newermt 2002-01-01)" ]
        """, BuiltProgram.fastcp.path,
      ],
      directory: place.path
    )
    #expect(outcome.succeeded, "\(outcome)")
  }

  @Test("With backups a directory takes the name of a file, as since cp 9.5 (T6, T10)")
  func directoriesOverFiles() throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "bash", "-ec",
        """
        mkdir -p d s/f t; echo 1 >d/in; echo 2 >f; echo 3 >s/f/in; echo 4 >t/f; ln -s none link
        "$0" -R -b --dry-run -T d f; cat f; "$0" -R -b -T d f; cat f/in f~
        "$0" -Rbv s/. t; cat t/f/in t/f~
        "$0" -a --backup=numbered d/. s; "$0" -a --backup=numbered -T d link
        cat link/in; readlink link.~1~
        "$0" -R -b -T d/. f~ 2>&1 || cat f~
        "$0" -R -T d f~ 2>&1 || cat f~; ls -A . t
        """, BuiltProgram.fastcp.path,
      ],
      environment: ["LC_ALL": "C"],
      directory: place.path
    )
    #expect(outcome.succeeded && outcome.errors.isEmpty, "\(outcome)")
    let expected = """
      'd' -> 'f'
      'd/in' -> 'f/in'
      2
      1
      2
      's/./f' -> 't/./f'
      's/./f/in' -> 't/./f/in'
      3
      4
      1
      none
      fastcp: cannot overwrite non-directory 'f~' with directory 'd/.'
      2
      fastcp: cannot overwrite non-directory 'f~' with directory 'd'
      2
      .:
      d
      f
      f~
      link
      link.~1~
      s
      t

      t:
      f
      f~

      """
    #expect(outcome.outputText == expected, "\(outcome)")
  }

  @Test(
    "No backup is made where nothing is replaced, with the words of cp 9.11 (T8, T10)",
    arguments: [["-bn"], ["-nb"], ["--backup", "-n"], ["-b", "--update=none-fail"]]
  )
  func backupsOfNothing(options: [String]) throws {
    let outcome = try run([BuiltProgram.fastcp.path] + options + ["f", "g"])
    #expect(outcome.status == 1)
    let line = "fastcp: --backup is mutually exclusive with -n or --update=none-fail"
    #expect(outcome.errorLines.first == line, "\(outcome)")
  }

  @Test(
    "Links instead of copies, attributes without bytes, slashes left out (T1, T3, T33)",
    arguments: [
      Twin("-lv", "f", "new"), Twin("-l", "f", "g"), Twin("-lf", "f", "g"), Twin("-l", "f", "f"),
      Twin("-l", "f", "f2", after: "ln f f2"), Twin("-l", "l", "new"), Twin("-ld", "l", "new"),
      Twin("-lr", "d", "new"), Twin("-al", "d", "new", after: "ln -s h d/l"),
      Twin("-lrf", "d", "t", after: "mkdir -p t/d; echo 1 >t/d/h"), Twin("-l", "d", "new"),
      Twin("-lf", "l", "f"), Twin("-ldf", "l", "f"), Twin("-l", "dang", "new"),
      Twin("-sv", "f", "new"), Twin("-s", "f", "g"), Twin("-sf", "f", "g"), Twin("-s", "f", "d"),
      Twin("-s", "f", "f"), Twin("-sf", "f", "l"), Twin("-s", "/etc/passwd", "d"),
      Twin("-ls", "f", "x"),
      Twin("-rs", "d", "new"), Twin("-s", "f", "a b", after: "mkdir 'a b'"), Twin("-bs", "f", "g"),
      Twin("--attributes-only", "-v", "f", "new"), Twin("--attributes-only", "f", "g"),
      Twin("--attributes-only", "-p", "f", "g", after: "chmod 600 f"),
      Twin("-a", "--attributes-only", "d", "new"),
      Twin("-d", "--attributes-only", "f", "g", after: "ln g g2"),
      Twin("--strip-trailing-slashes", "f/", "d"),
      Twin("--strip-trailing-slashes", "-r", "ld/", "d"),
      Twin("-r", "--copy-contents", "/dev/null", "new"),
    ]
  )
  func products(twin: Twin) throws { try twin.compare() }
}
