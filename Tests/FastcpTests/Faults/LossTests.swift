import IOChannelsTestSupport
import Testing

/// What was there before a copy, or was told apart by it, is not lost when something goes wrong.
@Suite("Losses", .ends(withinMinutes: 10), .needs(.root, .fuse))
struct LossTests {
  @Test("A failed closing leaves the file that was to be replaced (T31)")
  func closing() throws {
    let faulty = try FaultFileSystem()
    let scene = try Scene("echo new >f; echo old >'\(faulty.behind)/g'")
    try faulty.setRules("flush * 1+ errno 28")
    let outcome = try scene.copy("--atomic", "f", "\(faulty.path)/g")
    try faulty.setRules()
    #expect(outcome.status == 1 && outcome.errorText.contains("No space left"), "\(outcome)")
    #expect(try scene.shell("cat '\(faulty.behind)/g'; ls -A '\(faulty.behind)'") == "old\ng\n")
  }

  @Test("Two names that are one file in a new directory are an error, not one copy (T4)")
  func oneName() throws {
    for (made, kind) in [("echo theirs >", "file"), ("mkdir ", "directory"), ("ln -s x ", "link")] {
      let faulty = try FaultFileSystem()
      let scene = try Scene("mkdir to")
      try runSuccessfully(
        ["bash", "-ec", "mkdir s; \(made)s/\(kind); echo x >s/a"],
        directory: faulty.behind
      )
      // The directory is there, and what is in it is about to be copied.
      try faulty.setRules("readdir s 1 hang 1")
      let copier = try ChildProcess(
        [BuiltProgram.fastcp.path, "-r", "\(faulty.path)/s", scene.place("to")]
      )
      try faulty.waitForUse()
      try scene.shell("until [ -d to/s ]; do sleep 0.01; done; echo theirs >to/s/\(kind)")
      try faulty.setRules()
      let outcome = try copier.wait(timeout: .seconds(30))
      #expect(outcome.status == 1, "\(kind): \(outcome)")
      #expect(try scene.shell("cat to/s/\(kind) to/s/a") == "theirs\nx\n", "\(kind)")
    }
  }

  @Test("A newer file stays where it cannot be linked to the others (T9)")
  func newer() throws {
    let faulty = try FaultFileSystem()
    let scene = try Scene(
      "mkdir s; echo 1 >s/a; touch -d 2001-01-01 s/a; ln s/a s/b; ln s/a s/c"
    )
    try runSuccessfully(
      [
        "bash", "-ec",
        "mkdir to; echo 1 >to/a; touch -d 2001-01-01 to/a; for i in b c; do echo own >to/$i; done",
      ],
      directory: faulty.behind
    )
    try faulty.setRules("link * 1+ errno 1")
    let outcome = try scene.copy("-auT", "s", "\(faulty.path)/to")
    try faulty.setRules()
    #expect(try scene.shell("cd '\(faulty.behind)/to'; cat a b c") == "1\nown\nown\n", "\(outcome)")
  }

  @Test("A backup that is the same file keeps the old bytes (T10)")
  func backupOfOneFile() throws {
    let scene = try Scene("echo new >f; mkdir to; echo old >to/f; ln to/f to/f~")
    #expect(try scene.copy("-b", "f", "to/").status == 0)
    #expect(try scene.shell("cat to/f to/f~") == "new\nold\n")
  }

  @Test("Backups of names that wait for their file come back when it fails (T10)")
  func backupsOfLinks() throws {
    let faulty = try FaultFileSystem()
    let scene = try Scene("mkdir -p to/s; echo 1 >to/s/a; echo 2 >to/s/b")
    try runSuccessfully(
      ["bash", "-ec", "mkdir s; head -c 3000000 /dev/zero >s/a; ln s/a s/b"],
      directory: faulty.behind
    )
    try faulty.setRules("read * 1 hang 1")
    let copier = try ChildProcess(
      [BuiltProgram.fastcp.path, "-ab", "--jobs=2", "\(faulty.path)/s", scene.place("to")]
    )
    try faulty.waitForUse()
    try scene.shell("until [ -e to/s/a~ ] && [ -e to/s/b~ ]; do sleep 0.01; done")
    try faulty.setRules("read * 1+ errno 5")
    #expect(try copier.wait(timeout: .seconds(30)).status == 1)
    #expect(try scene.shell("cd to/s; cat a b; ls") == "1\n2\na\nb\n")
  }

  @Test("A file of which the kernel copies nothing is read (T24)")
  func copiedNothing() throws {
    let faulty = try FaultFileSystem()
    let scene = try Scene()
    try runSuccessfully(
      [
        "bash", "-ec",
        "truncate -s 3M f; head -c 500000 /dev/urandom | dd of=f bs=1M seek=1 conv=notrunc",
      ],
      directory: faulty.behind
    )
    let outcome = try scene.copy(
      "\(faulty.path)/f",
      "\(faulty.path)/g",
      behind: [BuiltProgram.sandboxrun.path, "deny=326:0", "--"]
    )
    #expect(outcome.status == 0, "\(outcome)")
    try scene.shell("cmp '\(faulty.behind)/f' '\(faulty.behind)/g'")
  }
}
