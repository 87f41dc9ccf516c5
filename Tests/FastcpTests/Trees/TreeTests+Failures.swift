import IOChannelsTestSupport
import Testing

/// A failure is one clear line; everything else is copied; the status is 1.
@Suite("Failures within trees")
struct TreeFailureTests {
  /// Runs the copier and the installed `cp` on copies of one place and expects the same messages.
  ///
  /// - Returns: Where the copier worked.
  private func compare(
    _ arguments: [String],
    prepared script: String,
    sandbox: [String] = []
  ) throws -> (place: TemporaryDirectory, lines: [String]) {
    let places = [try TemporaryDirectory(), try TemporaryDirectory()]
    let programs = [BuiltProgram.fastcp.path, "cp"]
    var messages: [[String]] = []
    for (place, program) in zip(places, programs) {
      try runSuccessfully(["sh", "-c", script], directory: place.path)
      let outcome = try run(sandbox + [program] + arguments, directory: place.path)
      #expect(outcome.status == 1, "\(program): \(outcome)")
      #expect(outcome.signal == 0)
      let name = program.split(separator: "/").last ?? ""
      messages.append(
        outcome.errorLines.map { line in
          line.hasPrefix("\(name): ")
            ? String(Twin.withoutNonDirectory(line.dropFirst(name.count))) : "foreign: \(line)"
        }.sorted()
      )
    }
    #expect(messages[0] == messages[1])
    let ours = try TreeListing(of: places[0].path)
    let theirs = try TreeListing(of: places[1].path)
    // The two places were prepared one after the other, so new files differ in time.
    #expect(ours.differences(from: theirs, ignoring: [.allocated, .time]) == [])
    return (places[0], messages[0])
  }

  @Test("A missing source is one line, and the others are copied")
  func missingSource() throws {
    let (place, lines) = try compare(
      ["-a", "missing", "one", "two", "to"],
      prepared: "echo 1 > one; mkdir two to; echo 2 > two/file"
    )
    #expect(lines == [": cannot stat 'missing': No such file or directory"])
    #expect(try TreeListing(of: place("to")).entries.count == 4)
  }

  @Test("A directory does not replace a file (T6)")
  func directoryOntoFile() throws {
    let (_, lines) = try compare(
      ["-a", "tree", "to"],
      prepared: "mkdir -p tree to; echo x > to/tree; echo y > tree/y"
    )
    #expect(lines.count == 1)
  }

  @Test("A file does not replace a directory, and its neighbours are copied (T6)")
  func fileOntoDirectory() throws {
    let (place, lines) = try compare(
      ["-a", "tree", "to"],
      prepared: """
        mkdir -p tree to/tree/a; echo x > tree/a; echo y > tree/b; echo z > to/tree/a/kept
        """
    )
    #expect(lines.count == 1)
    #expect(try runSuccessfully(["cat", place("to/tree/b"), place("to/tree/a/kept")]) == "y\nz\n")
  }

  @Test("Unreadable files and directories are one line each, and the rest is copied")
  func unreadable() throws {
    let (place, lines) = try compare(
      ["-r", "tree", "to"],
      prepared: """
        mkdir -p tree/open tree/closed; echo x > tree/a; echo y > tree/open/b; echo z > tree/c
        echo w > tree/closed/d; chmod 0 tree/a tree/closed
        """,
      sandbox: [BuiltProgram.sandboxrun.path, "nocaps=1", "--"]
    )
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasSuffix(": Permission denied") })
    #expect(try runSuccessfully(["cat", place("to/open/b"), place("to/c")]) == "y\nz\n")
  }

  @Test("A full disk fails files, leaves none of them half, and stops nothing (F3)", .needs(.root))
  func fullDisk() throws {
    let tree = try SeededTree(files: 200)
    let small = try MemoryFileSystem(kibibytes: 1024)
    let outcome = try run([BuiltProgram.fastcp.path, "-a", tree.path, "\(small.path)/copy"])
    #expect(outcome.status == 1, "\(outcome)")
    #expect(!outcome.errorLines.isEmpty)
    let warning = "fastcp: warning: copying to "
    #expect(outcome.errorLines.count { $0.hasPrefix(warning) } == 1)
    let failures = outcome.errorLines.filter { !$0.hasPrefix(warning) }
    #expect(
      failures.allSatisfy {
        $0.hasPrefix("fastcp: ") && $0.hasSuffix(": No space left on device")
      },
      "\(outcome)"
    )
    #expect(Set(failures).count == failures.count)

    let source = try TreeListing(of: tree.path)
    let copy = try TreeListing(of: "\(small.path)/copy")
    #expect(copy.fileSizes.count > 10)
    let torn = copy.entries.keys.filter { path in
      copy.value(.kind, of: path) == "f"
        && copy.value(.content, of: path) != source.value(.content, of: path)
    }
    #expect(torn == [])
    // What lies below a directory that could not be made has no line of its own.
    let absent = Set(source.entries.keys.filter { copy.entries[$0] == nil })
    let highest = absent.filter { path in
      !absent.contains(path.split(separator: "/").dropLast().joined(separator: "/"))
    }
    let silent = highest.filter { path in
      !outcome.errorLines.contains { $0.contains("/\(path.dropFirst(2))'") }
    }
    #expect(silent == [])
    #expect(highest.count == failures.count, "\(outcome)")
  }

  @Test("A run out of inodes fails the files that got none (F3)", .needs(.root))
  func noInodes() throws {
    let tree = try SeededTree(files: 60)
    let small = try MemoryFileSystem(kibibytes: 8192, inodes: 40)
    let outcome = try run([BuiltProgram.fastcp.path, "-a", tree.path, "\(small.path)/copy"])
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.errorLines.allSatisfy { $0.hasSuffix(": No space left on device") })
    let copy = try TreeListing(of: "\(small.path)/copy")
    #expect(copy.fileSizes.count > 10)
    #expect(try !run(["find", small.path, "-name", ".*"]).outputText.contains("/."))
  }
}
