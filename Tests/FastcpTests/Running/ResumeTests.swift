import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import FileCopy
@testable import fastcp

/// `--resume` continues what an interrupted copy has left.
@Suite("Resumed copies", .ends(withinMinutes: 20))
struct ResumeTests {
  private static let tree = """
    mkdir -p s/d/e; for i in {1..20}; do head -c $((i * 1000)) /dev/urandom >s/d/$i; done
    head -c 5000000 /dev/urandom >s/large; truncate -s 9M s/holes; echo x >>s/holes
    ln s/d/3 s/d/e/hard; ln -s x s/link; mkfifo s/fifo; chmod 600 s/d/4
    touch -d 2001-01-01 s/d/5 s/d s/large
    """

  func resume(_ scene: Scene, _ arguments: String...) throws -> JSONSummary {
    let outcome = try run(
      [BuiltProgram.fastcp.path, "--resume", "--reflink=never", "--json"] + arguments,
      directory: scene.place.path
    )
    #expect(outcome.succeeded, "\(outcome)")
    return try JSONSummary(outcome)
  }

  @Test("A rerun copies no file of a complete copy, and no more than what changed (T51)")
  func complete() throws {
    let scene = try Scene(Self.tree)
    #expect(try resume(scene, "-aT", "s", "copy").number("files") == 22)
    #expect(try scene.differences("s", "copy") == [])
    let again = try resume(scene, "-aT", "s", "copy")
    #expect(again.number("files") == 0)
    #expect(again.number("bytes") == 0)
    try scene.shell("echo new >s/d/1; rm copy/d/2; echo cut >copy/d/7; touch s/d/8")
    let changed = try resume(scene, "-aT", "s", "copy")
    #expect(changed.number("files") == 4)
    #expect(try scene.differences("s", "copy") == [])
  }

  @Test("A file with the same bytes and another time gets its attributes and no copy (T51)")
  func compared() throws {
    let scene = try Scene(
      """
      mkdir s copy; head -c 300000 /dev/urandom >s/f; cp s/f copy/f; cp s/f copy/other
      cp s/f s/g; ln copy/other copy/g; touch -d 2001-01-01 s/* copy/other
      """
    )
    let before = try scene.shell("stat -c '%i' copy/f; stat -c '%i %Y' copy/other")
    let summary = try resume(scene, "-aT", "s", "copy")
    #expect(summary.number("files") == 1)
    #expect(summary.number("resumed_bytes") == 300_000)
    // The names of one file have the time of the source, so that they are complete.
    #expect(try scene.shell("stat -c '%i' copy/f; stat -c '%i %Y' copy/other") == before)
    try scene.shell("cmp s/f copy/f; cmp s/g copy/g")
    #expect(try scene.shell("stat -c %y s/f") == scene.shell("stat -c %y copy/f"))

    // The attributes of a file with another name are not changed in place.
    try scene.shell("touch -d 2002-02-02 s/g")
    #expect(try resume(scene, "-aT", "s", "copy").number("resumed_bytes") == 0)
    try scene.shell("[ $(stat -c %Y copy/other) = $(date -d 2001-01-01 +%s) ]")
    try scene.shell("cmp s/g copy/g")
  }

  @Test("A copy whose source changed gets an earlier time, and is copied again (T51, T22)")
  func doubtful() throws {
    for option in ["--stats", "--tolerate-changes"] {
      let scene = try Scene("head -c 3000000 /dev/zero >f; touch -d 2001-01-01T00:00:10 f")
      let copy = try ChildProcess(
        [
          BuiltProgram.fastcp.path, "--resume", "--reflink=never", "--sparse=never",
          "--bwlimit=1M", option, "f", "g",
        ],
        directory: scene.place.path
      )
      try scene.shell("sleep 1; echo changed | dd of=f conv=notrunc status=none")
      let outcome = try copy.wait()
      #expect(outcome.status == (option == "--stats" ? 1 : 0), "\(outcome)")
      #expect(outcome.errorText.contains("was changed while being copied"), "\(outcome)")
      let times = try scene.shell("stat -c %Y g; date -d 2001-01-01T00:00:08 +%s")
      #expect(Set(times.split(separator: "\n")).count == 1, "\(times)")
      _ = try resume(scene, "f", "g")
      try scene.shell("cmp f g")
      #expect(try scene.shell("stat -c %y f") == scene.shell("stat -c %y g"))
    }
  }

  /// The state of a partial file that an ended copy has left.
  struct Left: Sendable {
    var script: String
    var resumed: ClosedRange<Int>
  }

  @Test(
    "The equal start of a partial file is kept, and the rest is copied (T52)",
    arguments: [
      Left(script: "head -c 5000000 s/f", resumed: 4_500_000...5_000_000),
      Left(script: "cat s/f", resumed: 9_000_000...9_000_000),
      Left(script: "cat s/f s/f", resumed: 8_700_000...9_000_000),
      Left(script: "head -c 3000000 s/f; head -c 6M /dev/zero", resumed: 2_700_000...3_000_000),
      Left(script: "head -c 9000000 /dev/zero", resumed: 0...0),
      Left(script: ":", resumed: 0...0),
    ],
    ["--stats", "--verify", "--durable"]
  )
  func partial(left: Left, option: String) throws {
    let scene = try Scene("mkdir s copy; head -c 9000000 /dev/urandom >s/f; umask 077")
    let number = PartialFile.number(of: "f")
    let name = try HiddenNames.name(number, of: KillTests.owner())
    let other = try HiddenNames.name(number &+ 2, of: KillTests.owner())
    try scene.shell("umask 077; { \(left.script); } >copy/\(name); echo 1 >copy/\(other)")
    let summary = try resume(scene, "-aT", option, "s", "copy")
    let resumed = try #require(summary.number("resumed_bytes"))
    #expect(left.resumed.contains(resumed), "\(resumed)")
    #expect(summary.number("bytes") == 9_000_000)
    #expect(try scene.differences("s", "copy") == [])
  }

  @Test(
    "A file that a killed copy left goes before another one has its name (T52, F13)"
  )
  func leftBehind() throws {
    let scene = try Scene("mkdir s copy; for i in 1 2; do head -c 100000 /dev/urandom >s/$i; done")
    let name = try HiddenNames.name(2, of: KillTests.owner())
    let log = try scene.shell(
      """
      : >copy/\(name)
      strace -f -qq -o log -e trace=linkat,renameat2,unlinkat "\(BuiltProgram.fastcp.path)" \
        -rT --resume s copy
      sed 's/^[0-9]* *//; s/(.*//' log | grep . | head -n 1; ls -A copy
      """
    )
    #expect(log == "unlinkat\n1\n2\n")
  }

  @Test("A file that another user can open, or of a living copy, is not continued (T52)")
  func foreign() throws {
    let scene = try Scene("mkdir s copy; head -c 5000000 /dev/urandom >s/f; cp s/f s/g")
    let open = try HiddenNames.name(PartialFile.number(of: "f"), of: KillTests.owner())
    let living = HiddenNames.name(
      PartialFile.number(of: "g"),
      of: try #require(ProcessIdentity.current)
    )
    try scene.shell(
      "cp s/f copy/\(open); chmod 644 copy/\(open); cp s/g copy/\(living); chmod 600 copy/\(living)"
    )
    #expect(try resume(scene, "-aT", "s", "copy").number("resumed_bytes") == 0)
    #expect(try scene.shell("LC_ALL=C ls -A copy") == "\(living)\nf\ng\n")
    try scene.shell("cmp s/f copy/f; cmp s/g copy/g; cmp s/g copy/\(living)")
  }

  @Test(
    "A stopped copy leaves its large file for the next one (T52, F14)",
    arguments: [2, 15] as [Int32]
  )
  func stopped(signal: Int32) throws {
    let scene = try Scene("head -c 9000000 /dev/urandom >f; mkdir to")
    let copy = try ChildProcess(
      [
        BuiltProgram.fastcp.path, "-p", "--resume", "--reflink=never", "--bwlimit=4M", "f", "to",
      ],
      directory: scene.place.path
    )
    try scene.shell("until [ $(du -sb to | cut -f 1) -gt 2000000 ]; do sleep 0.01; done")
    copy.send(signal: signal)
    #expect(try copy.wait().signal == signal)
    #expect(try scene.shell("ls -A to").hasPrefix(".fastcp-"))
    let summary = try resume(scene, "-p", "f", "to")
    #expect(summary.number("resumed_bytes") ?? 0 > 1_000_000)
    try scene.shell("cmp f to/f")
    #expect(try scene.shell("ls -A to") == "f\n")
    #expect(try resume(scene, "-p", "f", "to").number("files") == 0)
  }

  @Test("A failed attribute makes the next run copy the file again (T51)", .needs(.root, .fuse))
  func failedMetadata() throws {
    let faulty = try FaultFileSystem()
    let scene = try Scene("echo 1 >f; chmod 640 f; chown 12:34 f; touch -d 2001-01-01 f")
    try faulty.setRules("chown * 1+ errno 5")
    let failed = try scene.copy("-a", "--resume", "f", "\(faulty.path)/g")
    try faulty.setRules()
    #expect(failed.status == 1, "\(failed)")
    #expect(try scene.copy("-a", "--resume", "f", "\(faulty.path)/g").succeeded)
    let format = "stat -c '%u %g %a %Y'"
    #expect(try scene.shell("\(format) f") == scene.shell("\(format) '\(faulty.behind)/g'"))
  }

  @Test(
    "An option that contradicts it is refused",
    arguments: [
      ("-l", "--link"), ("-s", "--symbolic-link"), ("--attributes-only", "--attributes-only"),
      ("--no-preserve=timestamps", "--no-preserve=timestamps"),
      ("--no-preserve=all", "--no-preserve=timestamps"),
    ]
  )
  func refused(option: String, named: String) {
    let parsed = ArgumentParser().parse(["--resume", BytePath(option), "a", "b"])
    #expect(throws: UsageError.cannotCombine("--resume", named)) { _ = try Command(parsed) }
  }

  @Test(
    "Each option that reads or replaces files works with it (T51)",
    arguments: [
      "--verify", "--backup", "--sparse=always", "--sparse=never", "--direct", "--paced", "--sync",
      "-u", "-n", "-f", "--remove-destination", "--drop-cache", "--dry-run", "--durable",
      "--bwlimit=1G", "--jobs=1", "--update=none", "--update=none-fail",
    ]
  )
  func combined(option: String) throws {
    // A FIFO is created anew each time, and so would get a backup.
    let scene = try Scene(Self.tree + "; rm s/fifo")
    _ = try resume(scene, "-aT", "s", "copy")
    let again = try resume(scene, "-aT", option, "s", "copy")
    #expect(again.number("files") == 0)
    #expect(try scene.differences("s", "copy") == [])
    // In a new place each option does what it does without this one.
    _ = try resume(scene, "-aT", option, "s", "new")
    if option != "--dry-run" { #expect(try scene.differences("s", "new") == []) }
  }
}
