import FileCopy
import IOChannelsTestSupport
import Testing

@testable import fastcp

/// `--reflink-dest` and `--link-dest`: daily copies that share unchanged files.
@Suite("Copies beside an earlier one", .ends(withinMinutes: 10))
struct EarlierCopyTests {
  private static let tree = """
    mkdir -p s/d/e; for i in {1..9}; do echo $i >s/d/$i; head -c 100000 /dev/urandom >s/d/e/$i; done
    ln s/d/1 s/hard; ln -s d s/link; mkfifo s/fifo; truncate -s 3M s/holes; echo x >>s/holes
    chmod 640 s/d/2; touch -d 2001-02-03T04:05:06.789 s/d/* s/d/e/* s/holes
    """
  /// Files that change between two copies. The length of one stays, the time of another one too.
  private static let changes = """
    echo X >s/d/3; echo longer >s/d/4; touch -r s/d/5 s/d/4; chmod 600 s/d/5; rm s/d/6
    echo new >s/d/new; mv s/d/7 s/d/moved; head -c 100000 /dev/urandom >s/d/e/8
    """

  /// Names in different copies of one file are a difference of the listings, but intended.
  private static let shared: Set<TreeListing.Field> = [.allocated, .link]

  private func error(_ words: String...) -> UsageError? {
    let parsed = ArgumentParser().parse((words + ["a", "b"]).map { BytePath($0) })
    do throws(UsageError) {
      _ = try Command(parsed)
      return nil
    } catch {
      return error
    }
  }

  @Test("Combinations without a meaning are refused (T71)")
  func options() {
    for name in ["--link-dest", "--reflink-dest"] {
      #expect(error("-a", "\(name)=d") == nil)
      for other in ["--attributes-only", "--link", "--symbolic-link"] {
        #expect(error("\(name)=d", other) == .cannotCombine(name, other))
      }
      #expect(
        error("-a", "\(name)=d", "--no-preserve=timestamps")
          == .cannotCombine(name, "--no-preserve=timestamps")
      )
    }
    #expect(error("--link-dest=d", "--reflink-dest=e") == .repeatedEarlierCopy)
    #expect(
      error("--reflink-dest=d", "--reflink=never")
        == .cannotCombine("--reflink-dest", "--reflink=never")
    )
  }

  @Test("Unchanged files are links to the earlier copy, and the new one is exact (T71)")
  func links() throws {
    let scene = try Scene(Self.tree)
    #expect(try scene.copy("-aT", "s", "mon").succeeded)
    try scene.shell("cp -a mon kept; \(Self.changes)")
    let outcome = try scene.copy("-aT", "--link-dest=mon", "--json", "s", "tue")
    #expect(outcome.succeeded, "\(outcome)")
    #expect(try scene.differences("s", "tue", ignoring: Self.shared) == [])
    #expect(try scene.differences("kept", "mon", ignoring: Self.shared) == [])
    for name in ["d/1", "d/2", "d/8", "d/9", "d/e/1", "d/e/9", "hard", "holes"] {
      try scene.shell("[ mon/\(name) -ef tue/\(name) ]")
    }
    try scene.shell("[ tue/hard -ef tue/d/1 ]")
    // Another time, length, mode or place is a change.
    for name in ["d/3", "d/4", "d/5", "d/e/8"] {
      try scene.shell("! [ mon/\(name) -ef tue/\(name) ]")
    }
    #expect(try JSONSummary(outcome).number("files") == 6)
  }

  @Test("A copy over a linked one leaves the earlier copy as it is (T71)")
  func overwriting() throws {
    let scene = try Scene(Self.tree)
    #expect(try scene.copy("-aT", "s", "mon").succeeded)
    #expect(try scene.copy("-aT", "--link-dest=mon", "s", "tue").succeeded)
    try scene.shell("cp -a mon kept; \(Self.changes); rm tue/d/6 tue/d/7")
    #expect(try scene.copy("-aT", "--link-dest=mon", "s", "tue").succeeded)
    #expect(try scene.differences("s", "tue", ignoring: Self.shared) == [])
    #expect(try scene.differences("kept", "mon", ignoring: Self.shared) == [])
  }

  @Test("A file with other attributes is copied (T71)")
  func attributes() throws {
    let scene = try Scene(
      "mkdir s; for i in 1 2 3 4; do echo $i >s/$i; done; touch -d 2001-01-01 s/*"
    )
    #expect(try scene.copy("-aT", "s", "mon").succeeded)
    try scene.shell("setfattr -n user.x -v 1 s/1; setfacl -m u:12:r s/2; setfattr -n user.y mon/3")
    #expect(try scene.copy("-aT", "--link-dest=mon", "s", "tue").succeeded)
    for name in ["1", "2", "3"] { try scene.shell("! [ mon/\(name) -ef tue/\(name) ]") }
    try scene.shell("[ mon/4 -ef tue/4 ]; ! getfattr -n user.y tue/3 2>/dev/null")
    try scene.shell("getfattr -n user.x tue/1; getfacl tue/2 | grep -q user:.*:r--")
  }

  @Test("A file with another owner or group is copied (T71)", .needs(.root))
  func owners() throws {
    let scene = try Scene(
      "mkdir s; for i in 1 2 3 4; do echo $i >s/$i; done; touch -d 2001-01-01 s/*"
    )
    #expect(try scene.copy("-aT", "s", "mon").succeeded)
    try scene.shell("chown 12 s/1; chgrp 13 s/2; chown 14:15 mon/3")
    #expect(try scene.copy("-aT", "--link-dest=mon", "s", "tue").succeeded)
    #expect(try scene.differences("s", "tue", ignoring: Self.shared) == [])
    for name in ["1", "2", "3"] { try scene.shell("! [ mon/\(name) -ef tue/\(name) ]") }
    try scene.shell("[ mon/4 -ef tue/4 ]")
    #expect(try scene.shell("stat -c %u:%g mon/1 mon/2 mon/3") == "0:0\n0:0\n14:15\n")
    // Where owners are not preserved, a link must belong to the user as a copy would.
    let other = try scene.copy("-rT", "--preserve=mode", "--link-dest=mon", "s", "wed")
    #expect(other.succeeded, "\(other)")
    try scene.shell("[ mon/1 -ef wed/1 ]; ! [ mon/3 -ef wed/3 ]")
  }

  @Test(
    "Links in the earlier copy lead nowhere (T71, T42)",
    arguments: ["--link-dest", "--reflink-dest"]
  )
  func linksAreNotFollowed(option: String) throws {
    let scene = try Scene(Self.tree)
    #expect(try scene.copy("-aT", "s", "mon").succeeded)
    try scene.shell(
      """
      cp -a mon/d outside; for f in outside/[1-9]; do echo Z >$f; touch -r s/d/${f#*/} $f; done
      rm -r mon/d; ln -s ../outside mon/d; rm mon/hard; ln -s ../outside/1 mon/hard
      """
    )
    #expect(try scene.copy("-aT", "\(option)=mon", "s", "tue").succeeded)
    #expect(try scene.differences("s", "tue", ignoring: Self.shared) == [])
  }

  @Test("Without links or clones between the file systems, files are copied (T71)")
  func otherFileSystem() throws {
    let scene = try Scene(Self.tree)
    let far = try TemporaryDirectory(in: "/dev/shm")
    #expect(try scene.copy("-aT", "s", "mon").succeeded)
    for option in ["--link-dest", "--reflink-dest"] {
      let copy = far(String(option.dropFirst(2)))
      let outcome = try scene.copy("-aT", "\(option)=mon", "s", copy)
      #expect(outcome.succeeded && outcome.errors.isEmpty, "\(outcome)")
      #expect(try scene.differences("s", copy) == [])
    }
  }

  @Test("Unchanged files share the blocks of the earlier copy (T71)", .needs(.root, .btrfs))
  func clones() throws {
    let image = try LoopImage(.btrfs, megabytes: 200)
    let scene = try Scene(Self.tree)
    let (mon, tue) = ("\(image.path)/mon", "\(image.path)/tue")
    #expect(try scene.copy("-aT", "s", mon).succeeded)
    try scene.shell("cp -a --reflink=never '\(mon)' kept; \(Self.changes); sync -f '\(mon)'")
    let copy = try scene.copy("-aT", "--reflink-dest=\(mon)", "--verify", "--json", "s", tue)
    #expect(copy.succeeded, "\(copy)")
    let summary = try JSONSummary(copy)
    // Eight files of 100,000 bytes did not change.
    #expect(summary.number("shared_bytes") ?? 0 >= 800_000)
    #expect(try scene.differences("s", tue) == [])
    #expect(try scene.differences("kept", mon) == [])
    // Files with other metadata and the same contents share blocks, too.
    try scene.shell("chmod 604 s/d/e/1; ! [ '\(mon)/d/e/1' -ef '\(tue)/d/e/1' ]")
    let again = try scene.copy(
      "-aT",
      "--reflink-dest=\(mon)/d/e",
      "--json",
      "s/d/e",
      "\(image.path)/wed"
    )
    #expect(try JSONSummary(again).number("shared_bytes") == 800_000)
    #expect(try scene.shell("stat -c %a '\(image.path)/wed/1'") == "604\n")
  }

  @Test("An earlier copy that cannot be opened is an error before the copy (T71)")
  func missing() throws {
    let scene = try Scene("mkdir s; echo 1 >s/f; echo 2 >file")
    for (name, reason) in [("no", "No such file or directory"), ("file", "Not a directory")] {
      let outcome = try scene.copy("-aT", "--link-dest=\(name)", "s", "t")
      #expect(outcome.status == 1)
      #expect(outcome.errorText == "fastcp: cannot open earlier copy '\(name)': \(reason)\n")
    }
    #expect(try scene.shell("ls") == "file\ns\n")
  }

  @Test("A manifest lists files that are shared, and --durable flushes them (T66, T71, T53)")
  func combined() throws {
    let scene = try Scene(Self.tree)
    #expect(try scene.copy("-aT", "s", "mon").succeeded)
    for option in ["--link-dest", "--reflink-dest"] {
      let outcome = try scene.copy(
        "-aT",
        "\(option)=mon",
        "--durable",
        "--manifest=m",
        "--checksum=sha256",
        "s",
        "t"
      )
      #expect(outcome.succeeded, "\(outcome)")
      try scene.shell("(cd t; sha256sum -c --quiet --strict ../m); [ $(wc -l <m) = 20 ]; rm -r t")
    }
  }

  @Test("A failing clone is an error only where the disk fails (T71, F1)", .needs(.root, .fuse))
  func unreadableEarlierCopy() throws {
    let faulty = try FaultFileSystem()
    let scene = try Scene(Self.tree)
    #expect(try scene.copy("-aT", "s", "\(faulty.path)/mon").succeeded)
    try faulty.setRules("open * 1+ errno 13")
    let outcome = try scene.copy("-aT", "--reflink-dest=\(faulty.path)/mon", "s", "tue")
    try faulty.setRules()
    #expect(outcome.succeeded, "\(outcome)")
    #expect(try scene.differences("s", "tue", ignoring: Self.shared) == [])
  }
}
