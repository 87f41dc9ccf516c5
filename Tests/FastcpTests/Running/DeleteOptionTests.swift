import Foundation
import IOChannelsTestSupport
import Testing

@testable import FileCopy
@testable import fastcp

/// `--delete` and the options that belong to it, from the command line to the output.
@Suite("Options of removals", .ends(withinMinutes: 10))
struct DeleteOptionTests {
  private static let prepare = """
    mkdir -p s/d to/s/d empty t/in; echo 1 >s/d/f; echo 2 >s/g; cp -a s/. to/s; echo 3 >t/in/f
    echo 4 >t/keep; echo 5 >file; echo 6 >to/other; mkdir -p to/s/gone/e; echo 7 >to/s/gone/h
    echo 8 >to/s/d/old
    """

  /// The three entries that `s` lacks and their contents, as `-v` prints them.
  private static let lines = [
    "removed 'to/s/d/old'", "removed 'to/s/gone/h'", "removed directory 'to/s/gone'",
    "removed directory 'to/s/gone/e'",
  ]

  @Test("Combinations without a meaning and invalid numbers are refused (T59)")
  func options() throws {
    func error(_ words: String...) -> UsageError? {
      let parsed = ArgumentParser().parse((words + ["a", "b"]).map { BytePath($0) })
      do throws(UsageError) {
        _ = try Command(parsed)
        return nil
      } catch {
        return error
      }
    }
    #expect(error("-r", "--delete", "--max-delete=0", "--delete-from-empty-source") == nil)
    #expect(error("-a", "--delete", "--max-delete", "12", "--backup=none") == nil)
    #expect(error("--delete") == .deleteWithoutRecursion)
    #expect(error("-r", "--max-delete=1") == .onlyWithDelete("--max-delete"))
    let empty = "--delete-from-empty-source"
    #expect(error("-r", empty) == .onlyWithDelete(empty))
    #expect(error("-rb", "--delete") == .cannotCombine("--delete", "--backup"))
    let links = "--keep-directory-symlink"
    #expect(error("-r", links, "--delete") == .cannotCombine("--delete", links))
    #expect(
      error("-r", "--delete", "--files-from=f") == .cannotCombine("--delete", "--files-from")
    )
    for word in ["-1", "", "+1", "many", "1k", "99999999999999999999"] {
      #expect(
        error("-r", "--delete", "--max-delete=\(word)") == .badRemovalLimit(BytePath(word)),
        "\(word)"
      )
    }
    #expect(
      UsageError.badRemovalLimit("-1").text(quoting: .utf8)
        == "invalid number of entries to remove: '-1' (must be 0 or more)"
    )
  }

  @Test(
    "Operands whose entries could be lost are refused before anything is changed (T59)",
    arguments: refusals
  )
  func refused(arguments: [String], message: String) throws {
    for option in [["--delete"], ["--delete", "--dry-run"]] {
      let place = try TemporaryDirectory()
      try runSuccessfully(["bash", "-ec", Self.prepare], directory: place.path)
      let before = try TreeListing(of: place.path)
      let outcome = try run(
        [BuiltProgram.fastcp.path] + option + arguments,
        directory: place.path
      )
      #expect(outcome.status == 1)
      #expect(outcome.errorText == "fastcp: \(message)\n")
      #expect(try TreeListing(of: place.path).differences(from: before, ignoring: []) == [])
    }
  }

  /// Operands and the message that refuses them.
  private static let refusals: [([String], String)] = [
    (["-aT", "s", "file"], "with --delete, the destination 'file' must be a directory"),
    (["-aT", "t/in", "t"], "with --delete, source 't/in' must not be inside destination 't'"),
    (["-aT", "t", "t"], "with --delete, source 't' must not be inside destination 't'"),
    (["-a", "s", "s/d"], "cannot copy a directory, 's', into itself, 's/d/s'"),
    (["-a", "to/s/d", "s", "to"], nested),
    (["-a", "to/s/d/f", "s", "to"], nestedFile),
    (["-a", "s", "t/../s", "to"], "with --delete, only one source can be copied to 'to/s'"),
    (["-a", "s", "t/.", "to"], "with --delete, only one source can be copied to 'to/.'"),
    (["-aT", "empty", "to/s"], emptied), (["-a", "s", "empty", "to"], emptied),
  ]

  private static let nested =
    "with --delete, source 'to/s/d' must not be inside destination 'to/s'"
  private static let nestedFile =
    "with --delete, source 'to/s/d/f' must not be inside destination 'to/s'"
  private static let emptied =
    "source 'empty' is empty; to empty its copy, add --delete-from-empty-source"

  @Test("An empty source empties its copy if that is requested (T59)")
  func emptySource() throws {
    let scene = try Scene(Self.prepare)
    let outcome = try scene.copy("-aT", "--delete", "--delete-from-empty-source", "empty", "to/s")
    #expect(outcome.succeeded && outcome.output.isEmpty, "\(outcome)")
    #expect(try scene.shell("ls -A to/s; ls to") == "other\ns\n")
  }

  @Test("Removed entries are printed, and a dry run prints the same (T57)")
  func output() throws {
    for option in ["--dry-run", "-v"] {
      let scene = try Scene(Self.prepare)
      let outcome = try scene.copy("-a", "--delete", "--stats", option, "s", "to")
      #expect(outcome.succeeded, "\(outcome)")
      let lines = outcome.outputText.split(separator: "\n").map(String.init)
      let removed = lines.filter { $0.hasPrefix("removed '") || $0.hasPrefix("removed d") }
      #expect(removed.sorted() == Self.lines)
      let verb = option == "-v" ? "removed" : "would remove"
      #expect(lines.last == "\(verb) 4 entries that the source lacks", "\(outcome)")
      #expect(try scene.shell("ls to") == "other\ns\n")
      let names = option == "-v" ? "d\ng\n" : "d\ng\ngone\n"
      #expect(try scene.shell("ls to/s") == names)
    }
  }

  @Test("With JSON each removed entry is an object, and the summary counts them (T57)")
  func objects() throws {
    let scene = try Scene(Self.prepare)
    let outcome = try scene.copy("-av", "--delete", "--json", "s", "to")
    #expect(outcome.succeeded, "\(outcome)")
    let objects = try outcome.outputText.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let removed = objects.filter { $0["type"] as? String == "removed" }
    #expect(
      Set(removed.compactMap { $0["path"] as? String })
        == ["to/s/d/old", "to/s/gone", "to/s/gone/e", "to/s/gone/h"]
    )
    #expect(removed.count { $0["directory"] as? Bool == true } == 2)
    #expect(try JSONSummary(outcome).number("removed") == 4)
    let again = try scene.copy("-a", "--delete", "--json", "s", "to")
    #expect(try JSONSummary(again).number("removed") == nil)
  }

  @Test("A mount point keeps its contents, and is an error (T57)", .needs(.root))
  func mountPoint() throws {
    let scene = try Scene(Self.prepare)
    try scene.shell("mount -t tmpfs none to/s/gone/e; echo 9 >to/s/gone/e/f")
    defer { _ = try? scene.shell("umount to/s/gone/e") }
    let outcome = try scene.copy("-a", "--delete", "s", "to")
    #expect(outcome.status == 1)
    #expect(
      outcome.errorText == "fastcp: cannot remove 'to/s/gone/e': Device or resource busy\n"
    )
    #expect(try scene.shell("cat to/s/gone/e/f; ls to/s/gone") == "9\ne\n")
  }

  @Test("Nothing is removed below a bind mount, and each one is reported (T57)", .needs(.root))
  func bindMounts() throws {
    let scene = try Scene(
      """
      mkdir -p s/d/e to/x/m to/d other/e; echo 1 >s/f; echo 2 >s/d/g; echo 3 >s/d/e/h
      echo 4 >other/keep; echo 5 >other/e/keep; : >to/gone; : >to/x/y; : >to/file
      """
    )
    defer { _ = try? scene.shell("umount to/x/m to/d to/file") }
    try scene.shell("mount --bind s to/x/m; mount --bind other to/d; mount --bind s/f to/file")
    for option in ["--dry-run", "-v"] {
      let outcome = try scene.copy("-aT", "--delete", option, "s", "to")
      #expect(outcome.status == 1)
      #expect(
        outcome.errorLines.sorted() == [
          "fastcp: cannot remove 'to/file': Device or resource busy",
          "fastcp: cannot remove 'to/x/m': Device or resource busy",
          "fastcp: cannot remove entries from 'to/d': Device or resource busy",
        ],
        "\(outcome)"
      )
      let lines = outcome.outputText.split(separator: "\n").map(String.init)
      let removed = lines.filter { $0.hasPrefix("removed ") }
      #expect(removed.sorted() == ["removed 'to/gone'", "removed 'to/x/y'"])
    }
    #expect(try scene.shell("find s -type f | LC_ALL=C sort") == "s/d/e/h\ns/d/g\ns/f\n")
    #expect(try scene.shell("cd other; cat keep e/keep e/h g") == "4\n5\n3\n2\n")
    #expect(try scene.shell("ls to") == "d\nf\nfile\nx\n")
  }

  /// Directories of which one is mounted inside another one, and the message that refuses them.
  private static let mountedOverlaps: [(mount: String, arguments: [String], message: String)] = [
    ("s/d 'm n'", ["-aT", "s", "m n"], "cannot copy a directory, 's', into itself, 'm n'"),
    ("to/x 'm n'", ["-aT", "m n", "to"], mounted("m n", "to")),
    ("to/x s/m", ["-aT", "s", "to"], mounted("s", "to")),
    ("to/s 'm n'", ["-a", "m n/k", "s", "to"], mounted("m n/k", "to/s")),
    ("to/s to/t", ["-a", "s", "t", "to"], merged("to/t")),
  ]

  private static func mounted(_ source: String, _ destination: String) -> String {
    "with --delete, source '\(source)' must not be inside destination '\(destination)'"
  }

  private static func merged(_ path: String) -> String {
    "with --delete, only one source can be copied to '\(path)'"
  }

  @Test(
    "A source and a destination that meet only through a bind mount are refused (T59)",
    .needs(.root),
    arguments: 0..<5
  )
  func mountedOverlap(number: Int) throws {
    let (mount, arguments, message) = Self.mountedOverlaps[number]
    let scene = try Scene(
      """
      mkdir -p s/d/e s/m t to/x to/s to/t 'm n'; echo 1 >s/f; echo 2 >s/d/g; echo 3 >to/x/h
      echo 4 >to/keep; echo 5 >to/s/k; echo 6 >t/f; echo 7 >to/t/gone
      """
    )
    defer { _ = try? scene.shell("umount \(mount.split(separator: " ", maxSplits: 1)[1])") }
    try scene.shell("mount --bind \(mount)")
    let before = try TreeListing(of: scene.place.path)
    for option in [["--delete"], ["--delete", "--dry-run"]] {
      let outcome = try run(
        [BuiltProgram.fastcp.path] + option + arguments,
        directory: scene.place.path
      )
      #expect(outcome.status == 1)
      #expect(outcome.errorText == "fastcp: \(message)\n")
      #expect(
        try TreeListing(of: scene.place.path).differences(from: before, ignoring: []) == []
      )
    }
  }

  @Test(
    "With --parents no destination is inside that of another source (T59)",
    arguments: [
      (["s", "s/d"], "to/s/d"), (["s/d/f", "s"], "to/s/d/f"), (["s/l", "s"], "to/s/l"),
      (["s/d", "s/./d/."], "to/s/./d/."), (["t", "s/../t"], "to/s/../t"),
    ]
  )
  func nestedParents(sources: [String], path: String) throws {
    let scene = try Scene(
      """
      mkdir -p s/d t to/s/d; echo 1 >s/d/f; echo 2 >s/g; echo 3 >t/h; ln -s d s/l
      echo 4 >to/s/d/gone
      """
    )
    let command = [BuiltProgram.fastcp.path, "-a", "--parents", "--delete"]
    let outcome = try run(command + sources + ["to"], directory: scene.place.path)
    #expect(outcome.status == 1)
    #expect(outcome.errorText == "fastcp: \(Self.merged(path))\n")
    #expect(try scene.shell("find to -type f") == "to/s/d/gone\n")
    let separate = try run(command + ["s/d", "t", "s/g", "to"], directory: scene.place.path)
    #expect(separate.succeeded, "\(separate)")
    #expect(
      try scene.shell("find to -type f | LC_ALL=C sort") == "to/s/d/f\nto/s/g\nto/t/h\n"
    )
  }

  @Test("Where case does not count, the copy of another spelling stays (T58)", .needs(.vfat))
  func otherSpelling() throws {
    let mounted = try MountedFileSystem(.vfat, files: [:])
    let scene = try Scene("mkdir s; echo new >s/README; echo 1 >s/f")
    let to = "\(mounted.path)/to"
    try scene.shell("mkdir '\(to)'; echo old >'\(to)/readme'; echo 2 >'\(to)/gone'")
    let outcome = try scene.copy("-rT", "--delete", "s", to)
    #expect(outcome.status == 1)
    #expect(
      outcome.errorText == "fastcp: removing nothing from '\(to)', where several names of its "
        + "source are one name\n"
    )
    #expect(try scene.shell("cd '\(to)'; cat readme gone") == "new\n2\n")
    try scene.shell("rm '\(to)/readme'")
    let again = try scene.copy("-rT", "--delete", "s", to)
    #expect(again.succeeded, "\(again)")
    #expect(try scene.shell("cd '\(to)'; cat README f; ls | wc -l") == "new\n1\n2\n")
  }

  @Test(
    "With --parents no source loses the copy of another one inside it (T58, T59)",
    .needs(.root, .fileSystems)
  )
  func otherSpellingOfParents() throws {
    let scene = try Scene(
      """
      PATH=$PATH:/usr/sbin:/sbin; truncate -s 32M image; mkfs.ntfs -q -F -Q image >made 2>&1
      mkdir -p m a/b A; lowntfs-3g -o ignore_case image m; echo 1 >a/b/f; echo 2 >A/g; mkdir m/to
      echo 3 >x
      """
    )
    defer { _ = try? scene.shell("umount m || umount -l m") }
    let arguments = ["--delete", "--parents", "-r", "a/b", "A", "m/to"]
    let copy = { try run([BuiltProgram.fastcp.path] + arguments, directory: scene.place.path) }
    let first = try copy()
    #expect(first.status == 1)
    let text = "removing nothing from 'm/to/A', where several names of its source are one name"
    #expect(first.errorText == "fastcp: \(text)\n", "\(first)")
    #expect(try scene.shell("cat m/to/a/b/f m/to/a/g") == "1\n2\n")
    // The destinations exist by now, so that they are compared before anything is changed.
    let second = try copy()
    #expect(second.errorText == "fastcp: \(Self.merged("m/to/a/b"))\n", "\(second)")
    #expect(try scene.shell("cat m/to/a/b/f m/to/a/g") == "1\n2\n")
    let apart = try scene.copy("--delete", "--parents", "-r", "a/b", "x", "m/to")
    #expect(apart.succeeded, "\(apart)")
  }

  @Test("Directories that differ only in case do not lose each other's files (T58)", .needs(.vfat))
  func sharedDestination() throws {
    let mounted = try MountedFileSystem(.vfat, files: [:])
    let scene = try Scene("mkdir -p s/d s/D; echo 1 >s/d/f; echo 2 >s/D/g")
    let to = "\(mounted.path)/to"
    try scene.shell("mkdir -p '\(to)/d'; echo 3 >'\(to)/d/gone'")
    let outcome = try scene.copy("-rT", "--delete", "--jobs=1", "s", to)
    #expect(outcome.status == 1, "\(outcome)")
    // The directory that is complete first was cleaned before the other one began.
    #expect(try scene.shell("cd '\(to)'; ls d") == "f\ng\n")
    #expect(outcome.errorText.contains("removing nothing from"), "\(outcome)")
  }
}
