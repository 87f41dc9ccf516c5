import FileCopy
import IOChannelsTestSupport
import Testing

@testable import fastcp

/// `--manifest`, `--checksum` and `--check`, from the command line to the output.
@Suite("Manifests from the command line", .ends(withinMinutes: 10))
struct ManifestCommandTests {
  private func error(_ words: String...) -> UsageError? {
    let parsed = ArgumentParser().parse(words.map { BytePath($0) })
    do throws(UsageError) {
      _ = try Command(parsed)
      return nil
    } catch {
      return error
    }
  }

  @Test("Combinations without a meaning are refused (T66, T67)")
  func options() throws {
    #expect(error("--manifest=m", "a", "b") == nil)
    #expect(error("--checksum=sha256", "a", "b") == .onlyWith("--checksum", "--manifest"))
    for option in ["--dry-run", "--attributes-only", "--link", "--symbolic-link"] {
      #expect(error("--manifest=m", option, "a", "b") == .cannotCombine("--manifest", option))
    }
    #expect(error("--check=m", "d") == nil)
    #expect(error("--check=m", "--jobs=3", "--stats", "--json", "d") == nil)
    #expect(error("--check=m") == .noOperand)
    #expect(error("--check=m", "d", "e") == .extraOperand("e"))
    #expect(error("--check=m", "-a", "d") == .cannotCombine("--check", "--archive"))
    #expect(error("--check=m", "-d", "d") == .cannotCombine("--check", "-d"))
    #expect(error("--check=m", "--jobs=0", "d") == .badJobs("0"))
  }

  @Test("Each kind of checksum is read by its program (T66)")
  func kinds() throws {
    let scene = try Scene("mkdir -p s/d; echo 1 >s/f; echo 2 >$'s/d/new\\nline'; ln s/f s/g")
    for (kind, program) in [("sha256", "sha256sum"), ("blake2b", "b2sum")] {
      let copy = try scene.copy("-a", "--manifest=m", "--checksum=\(kind)", "s", "t\(kind)")
      #expect(copy.succeeded && copy.errors.isEmpty, "\(copy)")
      try scene.shell("cd t\(kind); \(program) -c --strict ../m")
    }
    #expect(try scene.copy("-a", "--manifest=m", "s", "t").succeeded)
    try scene.shell("! command -v xxhsum || (cd t; grep -v '^\\\\' ../m | xxhsum -c)")
    #expect(try scene.copy("--check=m", "t").succeeded)
  }

  @Test("Differences are listed, and the exit status is 1 (T67)")
  func differences() throws {
    let scene = try Scene("mkdir -p s/d; for i in 1 2 3 4; do echo $i >s/d/$i; done")
    #expect(try scene.copy("-a", "--manifest=m", "s", "t").succeeded)
    let equal = try scene.copy("--check", "m", "--stats", "t")
    #expect(equal.succeeded)
    #expect(
      equal.outputText.hasPrefix(
        "checked: 4 equal, 0 missing, 0 changed, 0 extra, 0 unreadable, 8 bytes read, "
      ),
      "\(equal)"
    )
    try scene.shell("rm t/d/1; echo x >t/d/2; echo y >$'t/new\\nline'; touch t/d/3")
    let outcome = try scene.copy("--check", "m", "t")
    #expect(outcome.status == 1)
    #expect(
      outcome.outputText.split(separator: "\n").sorted() == [
        "changed: 'd/2'", "extra: 'new'$'\\n''line'", "missing: 'd/1'",
      ],
      "\(outcome)"
    )
    #expect(outcome.errors.isEmpty)
  }

  @Test(
    "A manifest with a flaw is refused before a file is read (T67)",
    arguments: [
      (": >m", "cannot use 'm': there are no checksums"),
      ("rm m", "cannot use 'm': No such file or directory"),
      ("truncate -s -1 m", "cannot use 'm': the last line is incomplete"),
      ("truncate -s 20 m", "cannot use 'm': the last line is incomplete"),
      ("echo x >>m", "cannot use line 2 of 'm': no checksum and name"),
      (
        "sed 's/  f/  ..\\/f/' -i m",
        "cannot use line 1 of 'm': the name leads out of the directory"
      ),
      ("sed 's/  f/  \\/f/' -i m", "cannot use line 1 of 'm': the name leads out of the directory"),
      ("rm -r t", "cannot use 't': No such file or directory"),
      ("rm -r t; echo 1 >t", "cannot use 't': Not a directory"),
    ]
  )
  func flaws(script: String, message: String) throws {
    let scene = try Scene("mkdir s; echo 1 >s/f")
    #expect(try scene.copy("-a", "--manifest=m", "s", "t").succeeded)
    try scene.shell(script)
    let outcome = try scene.copy("--check=m", "t")
    #expect(outcome.status == 1)
    #expect(outcome.errorText == "fastcp: \(message)\n")
    #expect(outcome.output.isEmpty)
  }

  @Test("A manifest that was cut between two lines leaves extra files (T67)")
  func cutBetweenLines() throws {
    let scene = try Scene("mkdir s; echo 1 >s/f; echo 2 >s/g")
    #expect(try scene.copy("-a", "--manifest=m", "s", "t").succeeded)
    try scene.shell("sort m >n; head -n 1 n >m")
    let outcome = try scene.copy("--check=m", "t")
    #expect(outcome.status == 1)
    #expect(outcome.outputText.hasPrefix("extra: "), "\(outcome)")
  }

  @Test("A full disk leaves the earlier manifest (T66, F3)", .needs(.root))
  func fullDisk() throws {
    let scene = try Scene(
      "mkdir s small; for i in {1..3000}; do : >s/file-with-a-long-name-$i; done"
    )
    try scene.shell("mount -t tmpfs -o size=64K none small; echo old >small/m")
    defer { _ = try? scene.shell("umount small") }
    let outcome = try scene.copy("-a", "--manifest=small/m", "--checksum=blake2b", "s", "t")
    #expect(outcome.status == 1)
    #expect(
      outcome.errorText == "fastcp: cannot write manifest 'small/m': No space left on device\n",
      "\(outcome)"
    )
    #expect(try scene.shell("cat small/m; ls -A small; ls t | wc -l") == "old\nm\n3000\n")
  }

  @Test("A file that fails is not listed, and the others are (T66)", .needs(.root, .fuse))
  func failedFile() throws {
    let faulty = try FaultFileSystem()
    let scene = try Scene(
      "mkdir '\(faulty.behind)/s'; for i in 1 2 3; do echo $i >'\(faulty.behind)'/s/$i; done"
    )
    try faulty.setRules("read 2 1+ errno 5")
    let outcome = try scene.copy("-a", "--manifest=m", "\(faulty.path)/s", "t")
    try faulty.setRules()
    #expect(outcome.status == 1)
    #expect(try scene.shell("cut -c 35- m | sort") == "1\n3\n")
    #expect(try scene.copy("--check=m", "t").succeeded)
  }

  @Test(
    "A manifest is complete or absent whenever the copy is killed (T66, F13)",
    arguments: [0.01, 0.1, 0.3]
  )
  func killed(seconds: Double) throws {
    let scene = try Scene("mkdir s; for i in {1..200}; do head -c 20000 /dev/zero >s/$i; done")
    let copy = try ChildProcess(
      [BuiltProgram.fastcp.path, "-a", "--bwlimit=6M", "--manifest=m", "s", "t"],
      directory: scene.place.path
    )
    try scene.shell("sleep \(seconds)")
    copy.send(signal: 9)
    _ = try copy.wait()
    let lines = try scene.shell("[ ! -e m ] || wc -l <m")
    #expect(lines == "" || lines == "200\n")
  }
}
