import IOChannelsTestSupport
import Testing

/// With `--durable` a file is on disk when it has its name, and its name when it is reported.
@Suite("Durable copies", .ends(withinMinutes: 20))
struct DurableTests {
  /// Copies under a tracer, and returns the names of the traced calls in their order.
  private func calls(_ scene: Scene, _ arguments: [String]) throws -> [String] {
    try runSuccessfully(
      [
        "strace", "-f", "-qq", "-e",
        "trace=write,syncfs,fsync,linkat,?renameat,renameat2,utimensat", "-o", "log",
        BuiltProgram.fastcp.path, "--durable", "--jobs=1", "--reflink=never",
      ] + arguments,
      environment: ["ASAN_OPTIONS": "detect_leaks=0"],
      directory: scene.place.path
    )
    // The system has one of two calls for a rename that replaces.
    return try scene.shell(
      "sed -n 's/^[0-9]* *\\([a-z0-9]*\\)(.*/\\1/p' log | sed 's/renameat$/renameat2/'"
    )
    .split(separator: "\n").map(String.init)
  }

  @Test("The order is data, times, flush, name, flush of the name, report (T53)", .needs(.loop))
  func order() throws {
    let image = try LoopImage(.ext4, megabytes: 64)
    let scene = try Scene("echo 1 >f; mkdir to", in: image.path)
    let names = try calls(scene, ["-a", "f", "to/new"])
    #expect(
      names == ["write", "utimensat", "fsync", "linkat", "fsync", "syncfs"],
      "\(names)"
    )
    // A replaced file gets a hidden name first.
    let again = try calls(scene, ["-a", "f", "to/new"])
    #expect(
      again.filter { $0 != "linkat" }
        == ["write", "utimensat", "fsync", "renameat2", "fsync", "syncfs"],
      "\(again)"
    )
    let reported = try calls(scene, ["-a", "--json", "f", "to/other"])
    #expect(Array(reported.suffix(3)) == ["fsync", "syncfs", "write"], "\(reported)")
  }

  @Test("The names of new directories above a new file are flushed too (T53)", .needs(.loop))
  func newDirectories() throws {
    let image = try LoopImage(.ext4, megabytes: 64)
    let scene = try Scene("mkdir -p s/d/e; echo 1 >s/d/e/f", in: image.path)
    let names = try calls(scene, ["-r", "s", "to"])
    // The flush of the file system after the name, and the one at the end.
    #expect(names.count { $0 == "syncfs" } == 2, "\(names)")
    let memory = try MemoryFileSystem(kibibytes: 1024)
    // Elsewhere each directory is flushed: three new ones and the existing one above them.
    let others = try calls(scene, ["-r", "s", "\(memory.path)/to"])
    #expect(others.count { $0 == "fsync" } == 5, "\(others)")
  }

  @Test(
    "Without a journal, each flush also empties the cache of the disk (T53)",
    .needs(.loop, .fileSystems)
  )
  func withoutJournal() throws {
    let image = try LoopImage(.ext4, megabytes: 64, options: ["-O", "^has_journal"])
    let scene = try Scene("echo 1 >f; mkdir to s; ln -s x s/link", in: image.path)
    let names = try calls(scene, ["-a", "f", "to/new"])
    // The directory alone would get the name, and the file perhaps not its number of links.
    #expect(
      names == ["write", "utimensat", "fsync", "linkat", "syncfs", "fsync", "syncfs", "fsync"],
      "\(names)"
    )
    // A link is flushed at the end.
    let links = try calls(scene, ["-rT", "s", "links"])
    #expect(links == ["syncfs", "fsync"], "\(links)")
    let overlay = try MountedFileSystem(.overlay, files: [:])
    let others = try calls(scene, ["f", "\(overlay.path)/new"])
    #expect(!others.contains("linkat"), "\(others)")
    #expect(
      others.suffix(5) == ["fsync", "renameat2", "fsync", "syncfs", "fsync"],
      "\(others)"
    )
  }

  @Test(
    "Kept files are flushed if the flush of their file system may not reach a disk (T53, T51)",
    .needs(.root, .fuse)
  )
  func keptFiles() throws {
    let faulty = try FaultFileSystem()
    let scene = try Scene("mkdir s; echo bytes >s/f; touch -d 2001-01-01 s/f")
    let options = ["-rT", "--resume", "--durable", "--jobs=1", "--json"]
    let arguments = options + ["s", "\(faulty.path)/to"]
    let copy = { (wrapper: [String]) in
      try run(
        wrapper + [BuiltProgram.fastcp.path] + arguments,
        environment: ["ASAN_OPTIONS": "detect_leaks=0"],
        directory: scene.place.path
      )
    }
    #expect(try copy([]).succeeded)
    // The file and the directory.
    let trace = ["strace", "-f", "-qq", "-e", "trace=fsync", "-o", "log"]
    let kept = try copy(trace)
    #expect(kept.succeeded, "\(kept)")
    #expect(try JSONSummary(kept).number("files") == 0, "\(kept)")
    #expect(try scene.shell("grep -c 'fsync(' log") == "2\n")
    try faulty.setRules("fsync f 1 errno 5")
    let failed = try copy([])
    try faulty.setRules()
    #expect(failed.errorLines.filter { $0.contains("error syncing") }.count == 1, "\(failed)")
    let again = try copy([])
    #expect(again.succeeded, "\(again)")
    #expect(try JSONSummary(again).number("files") == 1, "\(again)")
  }

  @Test(
    "Kept files that the user cannot read are flushed, or reported once (T53)",
    .needs(.root, .fuse)
  )
  func closedFiles() throws {
    let faulty = try FaultFileSystem()
    let scene = try Scene(
      """
      mkdir s; for i in 1 2 3; do echo $i >s/$i; done; touch -d 2001-01-01 s/?
      chmod 777 . '\(faulty.behind)'; chown -R 65534:65534 s
      cp '\(BuiltProgram.fastcp.path)' program
      """
    )
    let copy = {
      try run(
        [
          "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "./program", "-rT",
          "--resume", "--durable", "--jobs=1", "s", "\(faulty.path)/to",
        ],
        directory: scene.place.path
      )
    }
    let first = try copy()
    #expect(first.succeeded, "\(first)")
    try scene.shell("chmod 200 '\(faulty.behind)/to'/?")
    try faulty.setRules("fsync [123] 1+ delay 0")
    let second = try copy()
    #expect(second.succeeded, "\(second)")
    #expect(faulty.uses().count == 3)
    try scene.shell("chmod 0 '\(faulty.behind)/to'/?")
    let third = try copy()
    #expect(third.status == 1)
    let lines = third.errorLines
    #expect(lines.count == 1 && lines[0].hasSuffix(": Permission denied"), "\(lines)")
  }

  @Test("Several files wait for one flush (T53)", .needs(.loop))
  func together() throws {
    let image = try LoopImage(.ext4, megabytes: 64)
    let scene = try Scene(
      "mkdir s; for i in {1..400}; do echo $i >s/$i; done",
      in: image.path
    )
    try runSuccessfully(
      [
        "strace", "-f", "-qq", "-e", "trace=syncfs,fsync", "-o", "log",
        BuiltProgram.fastcp.path, "-aT", "--durable", "s", "to",
      ],
      environment: ["ASAN_OPTIONS": "detect_leaks=0"],
      directory: scene.place.path
    )
    let flushes = try #require(try Int(scene.shell("grep -c 'sync[a-z]*(' log || :").dropLast()))
    // Without shared flushes there would be two for each file.
    #expect(flushes < 400, "\(flushes)")
    #expect(try scene.differences("s", "to") == [])
  }

  @Test(
    "Each option that reads or replaces files works with flushes (T53)",
    arguments: ["--verify", "--backup", "--sparse=always", "--direct", "--paced", "--sync", "-u"]
  )
  func combined(option: String) throws {
    let scene = try Scene(
      """
      mkdir -p s/d to/d; head -c 300000 /dev/urandom >s/large; echo 1 >s/d/small
      ln s/large s/d/hard
      truncate -s 1M s/holes; ln -s x s/link; mkfifo s/fifo; echo old >to/d/small
      touch -d 2001-01-01 to/d/small
      """
    )
    let outcome = try scene.copy("-aT", "--durable", option, "s", "to")
    #expect(outcome.succeeded, "\(outcome)")
    try scene.shell("rm -f to/d/small~")
    try scene.shell("touch -r s/d to/d")
    #expect(try scene.differences("s", "to") == [])
  }

  @Test("A failed flush fails its file, and the old file stays (T53, F1)", .needs(.root, .fuse))
  func failedFlush() throws {
    let faulty = try FaultFileSystem()
    let scene = try Scene("mkdir s; for i in 1 2 3; do echo new$i >s/$i; done")
    try runSuccessfully(
      ["bash", "-ec", "mkdir to; for i in 1 2 3; do echo old$i >to/$i; done"],
      directory: faulty.behind
    )
    for which in 1...Tier.count(quick: 3, full: 12) {
      try faulty.setRules("fsync * \(which) errno 5")
      let outcome = try scene.copy("-rT", "--durable", "--jobs=1", "s", "\(faulty.path)/to")
      let isUsed = !faulty.uses().isEmpty
      try faulty.setRules()
      #expect(outcome.succeeded == !isUsed, "\(outcome)")
      let failed = outcome.errorLines.filter { $0.contains("error syncing") }
      #expect(failed.count == (isUsed ? 1 : 0), "\(outcome)")
      let show = ["bash", "-ec", "cat to/*; ls -A to"]
      let text = try runSuccessfully(show, directory: faulty.behind)
      let lines = text.split(separator: "\n")
      // Each file is the old or the new one.
      #expect(lines.prefix(3).allSatisfy { $0.hasPrefix("new") || $0.hasPrefix("old") }, "\(text)")
      #expect(lines.suffix(3) == ["1", "2", "3"], "\(text)")
      if isUsed && which == 1 { #expect(lines.contains { $0.hasPrefix("old") }, "\(text)") }
      try runSuccessfully(
        ["bash", "-ec", "for i in 1 2 3; do echo old$i >to/$i; done"],
        directory: faulty.behind
      )
    }
  }

  @Test(
    "An existing file that could not be flushed is not kept by a rerun (T53, T51, F1)",
    .needs(.root, .fuse)
  )
  func failedFlushOfEqualFile() throws {
    let faulty = try FaultFileSystem()
    let scene = try Scene("mkdir s; echo bytes >s/f; touch -d 2001-01-01 s/f")
    let show = ["bash", "-ec", "cat to/f; stat -c %Y to/f"]
    try runSuccessfully(
      ["bash", "-ec", "mkdir to; echo bytes >to/f; touch -d 2002-02-02 to/f"],
      directory: faulty.behind
    )
    try faulty.setRules("fsync * 1 errno 5")
    let failed = try scene.copy(
      "-rT",
      "--resume",
      "--durable",
      "--jobs=1",
      "s",
      "\(faulty.path)/to"
    )
    let isUsed = !faulty.uses().isEmpty
    try faulty.setRules()
    #expect(isUsed)
    #expect(failed.errorLines.filter { $0.contains("error syncing") }.count == 1, "\(failed)")
    #expect(try runSuccessfully(show, directory: faulty.behind) == "bytes\n0\n")
    let again = try scene.copy(
      "-rT",
      "--resume",
      "--durable",
      "--json",
      "s",
      "\(faulty.path)/to"
    )
    #expect(again.succeeded, "\(again)")
    #expect(try JSONSummary(again).number("files") == 1, "\(again)")
  }

  @Test(
    "Files in directories that the user cannot read are flushed too (T53, T54)",
    .needs(.root, .loop)
  )
  func unreadableDirectories() throws {
    let image = try LoopImage(.ext4, megabytes: 64)
    let scene = try Scene("mkdir -p s/drop; echo 1 >s/drop/f; chmod 755 .", in: image.path)
    try scene.shell("mkdir to to/drop; chmod 777 to; chmod 733 to/drop; chmod 755 ../..")
    let tools = try TemporaryDirectory()
    try runSuccessfully(
      ["bash", "-ec", "cp '\(BuiltProgram.fastcp.path)' program; chmod 755 . program"],
      directory: tools.path
    )
    let commands = [
      ["-rT", "--durable", "--jobs=1", "s", "to"], ["--durable", "s/drop/f", "to/drop/g"],
      ["--sync", "s/drop/f", "to/drop/h"],
    ]
    for arguments in commands {
      let outcome = try run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", tools("program")]
          + arguments,
        directory: scene.place.path
      )
      #expect(outcome.succeeded && outcome.errors.isEmpty, "\(outcome)")
    }
    #expect(try scene.shell("cat to/drop/[fgh]") == "1\n1\n1\n")
  }
}
