import Foundation
import IOChannelsTestSupport
import Testing

/// With `--delete`, names that became another kind of file.
@Suite("Mirrors of names that changed their kind", .ends(withinMinutes: 10))
struct ChangedKindTests {
  /// Makes `s` and `to` with a name for each pair of kinds, the kind of the destination first.
  private static let pairs = """
    make() {
      case $2 in
        file) echo $1 >$1 ;;
        large) head -c 100000 /dev/urandom >$1 ;;
        empty) mkdir $1 ;;
        full) mkdir -p $1/x/y; echo 1 >$1/x/f; ln -s f $1/x/l; mkfifo $1/x/p; chmod 750 $1/x ;;
        link) ln -s file-file $1 ;;
        dangling) ln -s nowhere $1 ;;
        directorylink) ln -s ../outside $1 ;;
        fifo) mkfifo $1 ;;
        character) mknod $1 c 1 3 ;;
        block) mknod $1 b 7 99 ;;
      esac
    }
    kinds="file large empty full link dangling directorylink fifo"
    [ $(id -u) != 0 ] || kinds+=" character block"
    mkdir s to outside; echo kept >outside/f
    for from in $kinds; do
      for into in $kinds; do
        make to/$from-$into $from; make s/$from-$into $into
      done
    done
    find s -depth -exec touch -h -d 2001-02-03 {} +; find to -exec touch -h -d 2000-01-01 {} +
    """

  private func removedLines(_ outcome: Outcome) -> [String] {
    outcome.outputText.split(separator: "\n").map(String.init).filter { $0.hasPrefix("removed ") }
  }

  @Test(
    "Each kind replaces each other one, and a dry run prints the same removals (T6, T57)",
    arguments: [
      ["-aT"], ["-aT", "--jobs=1", "--update"], ["-aT", "--atomic"], ["-aT", "--resume"],
      ["-aT", "--remove-destination"], ["-aT", "--force"],
    ]
  )
  func allKinds(options: [String]) throws {
    let scene = try Scene(Self.pairs)
    let program = BuiltProgram.fastcp.path
    let command = [program] + options + ["--delete", "-v", "s", "to"]
    let before = try TreeListing(of: scene.place("to"))
    let dry = try run(command + ["--dry-run"], directory: scene.place.path)
    #expect(dry.succeeded, "\(dry.errorText)")
    #expect(try TreeListing(of: scene.place("to")).differences(from: before, ignoring: []) == [])
    let outcome = try run(command, directory: scene.place.path)
    #expect(outcome.succeeded && outcome.errors.isEmpty, "\(outcome.errorText)")
    #expect(try scene.differences("to", "s").prefix(5) == [])
    #expect(removedLines(outcome).contains("removed 'to/full-file/x/f'"))
    #expect(removedLines(outcome).contains("removed directory 'to/full-file'"))
    #expect(removedLines(outcome).contains("removed 'to/link-full'"))
    #expect(try scene.shell("cat outside/f") == "kept\n")
    // What is renamed over an existing file is not removed before, and `-f` finds it in the way.
    let lines = Set(removedLines(dry)).symmetricDifference(removedLines(outcome))
    #expect(lines.allSatisfy { !$0.contains("empty") && !$0.contains("full") }, "\(lines)")
    let again = try run(command, directory: scene.place.path)
    #expect(again.succeeded && again.errors.isEmpty, "\(again.errorText)")
    #expect(!removedLines(again).contains { $0.hasPrefix("removed directory") })
  }

  @Test("Without preserved metadata too, and below a link that is followed (T6)")
  func otherOptions() throws {
    for options in [["-rT"], ["-rLT"], ["-rlT"]] {
      let scene = try Scene(
        """
        mkdir -p s/a to/b/x to/d; echo 1 >s/a/f; echo 2 >s/b; echo 3 >to/a; echo 4 >to/b/x/f
        ln -s b s/c; mkdir to/c; ln -s a s/d
        """
      )
      let outcome = try run(
        [BuiltProgram.fastcp.path] + options + ["--delete", "s", "to"],
        directory: scene.place.path
      )
      #expect(outcome.succeeded, "\(options) \(outcome)")
      #expect(try scene.shell("cat to/a/f to/b to/c") == "1\n2\n2\n")
      let kind = options == ["-rT"] ? "symbolic link" : "directory"
      #expect(try scene.shell("stat -c %F to/d") == "\(kind)\n")
    }
  }

  @Test("With JSON removed entries are objects, which the summary counts (T57)")
  func objects() throws {
    let scene = try Scene("mkdir -p s/b to/a/x; echo 1 >s/a; echo 2 >to/b; echo 3 >to/a/x/f")
    let outcome = try scene.copy("-aT", "--delete", "--json", "s", "to")
    #expect(outcome.succeeded, "\(outcome)")
    let removed = try outcome.outputText.split(separator: "\n").compactMap { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?["type"] as? String == "removed" ? object?["path"] as? String : nil
    }
    #expect(removed.sorted() == ["to/a", "to/a/x", "to/a/x/f", "to/b"])
    #expect(try JSONSummary(outcome).number("removed") == 4)
  }

  private static let scene = """
    mkdir -p s/b to/a/x to/n; echo 1 >s/a; echo 2 >s/b/f; echo 3 >to/a/x/f; echo 4 >to/a/g
    echo 5 >to/b; echo 6 >s/n
    """

  @Test("Without --delete, and with an option that protects files, they stay (T6, T8)")
  func protected() throws {
    let cannot = [
      "fastcp: cannot overwrite directory 'to/a' with non-directory 's/a'",
      "fastcp: cannot overwrite directory 'to/n' with non-directory 's/n'",
      "fastcp: cannot overwrite non-directory 'to/b' with directory 's/b'",
    ]
    for options in [["-aT"], ["-aT", "--delete", "--no-clobber"]] {
      let scene = try Scene(Self.scene)
      let outcome = try run(
        [BuiltProgram.fastcp.path] + options + ["s", "to"],
        directory: scene.place.path
      )
      #expect(outcome.status == 1)
      let expected = options.count == 1 ? cannot : [cannot[2]]
      #expect(outcome.errorLines.sorted() == expected, "\(outcome)")
      #expect(try scene.shell("cat to/a/x/f to/a/g to/b") == "3\n4\n5\n")
    }
  }

  @Test("The names of operands stay, as with cp (T6)")
  func operands() throws {
    let scene = try Scene("mkdir -p s to/f/x; echo 1 >f; echo 2 >s/g; echo 3 >to/s")
    let outcome = try scene.copy("-a", "--delete", "f", "s", "to")
    #expect(outcome.status == 1)
    #expect(
      outcome.errorLines == [
        "fastcp: cannot overwrite directory 'to/f' with non-directory 'f'",
        "fastcp: cannot overwrite non-directory 'to/s' with directory 's'",
      ]
    )
    #expect(try scene.shell("cat to/s; ls to/f") == "3\nx\n")
  }

  @Test("The entries of a replaced directory count for --max-delete (T60)", arguments: 0...4)
  func limit(count: Int) throws {
    let scene = try Scene("mkdir -p s to/a/x; echo 1 >s/a; echo 2 >to/a/x/f; echo 3 >to/a/g")
    for option in ["--dry-run", "-v"] {
      let outcome = try scene.copy("-aT", "--delete", "--max-delete=\(count)", option, "s", "to")
      #expect(outcome.succeeded == (count == 4), "\(outcome)")
      if count < 4 {
        let last = "cannot replace 'to/a' with 's/a', because --delete keeps it or names in it"
        #expect(outcome.errorLines.last == "fastcp: \(last)")
        #expect(outcome.errorLines.first?.contains("exceed the limit of \(count)") == true)
      }
    }
    // All entries of a directory are counted before the first of them is removed.
    let names = count < 3 ? "to/a/x/f to/a/g" : count == 3 ? "to/a/x/f" : "to/a"
    #expect(try scene.shell("cat \(names)") == (count < 3 ? "2\n3\n" : count == 3 ? "2\n" : "1\n"))
  }

  @Test(
    "Excluded names in a directory protect it (T57)",
    arguments: [
      (["--exclude=keep"], "x/keep"), (["--exclude=a/"], "x/keep"), (["--gitignore"], "g"),
    ]
  )
  func excluded(options: [String], kept: String) throws {
    let scene = try Scene("\(Self.scene); echo 7 >to/a/x/keep; echo g >s/.gitignore")
    let outcome = try run(
      [BuiltProgram.fastcp.path, "-aT", "--delete"] + options + ["s", "to"],
      directory: scene.place.path
    )
    #expect(outcome.status == 1)
    #expect(
      outcome.errorText
        == "fastcp: cannot replace 'to/a' with 's/a', because --delete keeps it or names in it\n"
    )
    #expect(try scene.shell("[ -f to/a/\(kept) ] && cat to/b/f to/n") == "2\n6\n")
  }

  @Test("A mount point in the place of a file, or in a replaced directory, stays", .needs(.root))
  func mountPoints() throws {
    let scene = try Scene("\(Self.scene); mkdir other to/m; echo 8 >other/f; echo 9 >s/m")
    defer { _ = try? scene.shell("umount to/a/x to/m to/b") }
    try scene.shell("mount --bind other to/a/x; mount --bind other to/m; mount --bind s/a to/b")
    for option in ["--dry-run", "-v"] {
      let outcome = try scene.copy("-aT", "--delete", option, "s", "to")
      #expect(outcome.status == 1)
      let pairs = ["a", "b", "m"].map { name in
        "fastcp: cannot replace 'to/\(name)' with 's/\(name)', "
          + "because --delete keeps it or names in it"
      }
      #expect(
        outcome.errorLines.sorted() == [
          "fastcp: cannot remove 'to/a/x': Device or resource busy",
          "fastcp: cannot remove 'to/b': Device or resource busy",
          "fastcp: cannot remove 'to/m': Device or resource busy",
        ] + pairs,
        "\(outcome)"
      )
      #expect(try scene.shell("cat other/f s/a") == "8\n1\n")
    }
  }

  @Test("Nothing is replaced below a bind mount (T57)", .needs(.root))
  func belowMount() throws {
    let scene = try Scene(
      "mkdir -p s/d/b to/d other/a; echo 1 >s/d/a; echo 2 >other/a/f; echo 3 >other/b"
    )
    defer { _ = try? scene.shell("umount to/d") }
    try scene.shell("mount --bind other to/d")
    let outcome = try scene.copy("-aT", "--delete", "s", "to")
    #expect(outcome.status == 1)
    #expect(outcome.errorLines.count == 3, "\(outcome)")
    #expect(try scene.shell("cat other/a/f other/b") == "2\n3\n")
  }

  @Test("A source that cannot be read replaces nothing (T58)", .needs(.root))
  func unreadable() throws {
    let scene = try Scene(
      """
      chmod 755 .; cp '\(BuiltProgram.fastcp.path)' program; chmod 755 program
      mkdir -p s/d to/f; echo 1 >s/f; chmod 600 s/f; chmod 700 s/d; echo 2 >to/f/x; echo 3 >to/d
      ln -s nowhere to/l; echo 4 >s/l; chmod 600 s/l; chown -hR 65534:65534 to
      """
    )
    let outcome = try run(
      [
        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", scene.place("program"),
        "-rT", "--delete", "s", "to",
      ],
      directory: scene.place.path
    )
    #expect(outcome.status == 1)
    #expect(
      outcome.errorLines.sorted() == [
        "program: cannot open 's/f' for reading: Permission denied",
        "program: cannot open 's/l' for reading: Permission denied",
        "program: cannot overwrite non-directory 'to/d' with directory 's/d'",
      ]
    )
    #expect(try scene.shell("cat to/f/x to/d; readlink to/l") == "2\n3\nnowhere\n")
  }

  @Test("A name that is another one where case does not count stays (T58)", .needs(.root, .vfat))
  func otherSpelling() throws {
    let mounted = try MountedFileSystem(.vfat, files: [:])
    let scene = try Scene("mkdir -p s/N s/m; echo 1 >s/n; echo 2 >s/N/f; echo 3 >s/m/f")
    let to = mounted.path + "/to"
    try scene.shell("mkdir -p '\(to)'; echo 4 >'\(to)/n'; echo 5 >'\(to)/M'")
    let outcome = try scene.copy("-rT", "--delete", "--jobs=1", "s", to)
    #expect(outcome.status == 1)
    #expect(outcome.errorText.contains("where several names of its source are one name"))
    // A directory replaces the file of an earlier copy that has another spelling.
    #expect(try scene.shell("cat '\(to)/m/f' '\(to)/n'") == "3\n1\n")
  }
}
