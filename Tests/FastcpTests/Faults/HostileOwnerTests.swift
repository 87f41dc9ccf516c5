import IOChannelsTestSupport
import Testing

@testable import FileCopy
@testable import fastcp

/// Copies by the superuser into directories of another user, who changes them meanwhile.
///
/// The copy of a FIFO's contents waits for its writer, so that each change happens at a known
/// moment: after the operands before the FIFO, and before those after it.
@Suite("Hostile owners of destinations", .needs(.root), .ends(withinMinutes: 10))
struct HostileOwnerTests {
  /// Creates a destination `to` of another user and sources that only their group may read.
  private static let prepared = """
    chmod 711 .; mkdir to d d/in a; mkfifo p
    echo 1 >f; echo 2 >g; echo 3 >d/h; echo 4 >d/in/i; echo 5 >a/b
    chmod 640 f g p d/h d/in/i a/b; chmod 750 d d/in a; chown 65534 to
    """

  /// Runs a command as the other user.
  private static let asOther = "setpriv --reuid=65534 --regid=65534 --clear-groups"

  /// Copies `f`, `a`, the contents of `p`, `g` and `d` into `to`, and runs a script before `g`.
  private func copy(
    _ options: String,
    _ operands: String = "f a p g d",
    in scene: Scene,
    meanwhile change: String
  ) throws -> Outcome {
    let script = """
      umask 077; "$0" \(options) --copy-contents --jobs=1 \(operands) to & copy=$!
      exec 3>p; printf x >&3
      \(Self.asOther) bash -c '\(change)'
      exec 3>&-; wait $copy
      """
    return try run(
      ["bash", "-uc", script, BuiltProgram.fastcp.path],
      directory: scene.place.path,
      timeout: .seconds(20)
    )
  }

  @Test(
    "A default access list that appears during the copy grants nothing (T44, T76)",
    arguments: ["-a", "-rp", "-a --atomic", "-r --preserve=mode"]
  )
  func defaultList(options: String) throws {
    let scene = try Scene(Self.prepared)
    let outcome = try copy(options, in: scene, meanwhile: "setfacl -d -m u:nobody:rwx to")
    #expect(outcome.succeeded, "\(outcome)")
    #expect(try scene.shell("getfacl -cpR to/[fgda]* | grep -c nobody || true") == "0\n")
    #expect(try scene.shell("stat -c %a to/g to/d to/d/h to/d/in/i") == "640\n750\n640\n640\n")
  }

  @Test(
    "A default access list that disappears during the copy widens nothing (T16, T76)",
    arguments: ["-r", "-r --atomic"]
  )
  func lostList(options: String) throws {
    let scene = try Scene(
      "\(Self.prepared); chmod 666 g d/h; setfacl -d -m u::rwx,g::rwx,o::rwx to"
    )
    let outcome = try copy(options, in: scene, meanwhile: "setfacl -k to")
    #expect(outcome.succeeded, "\(outcome)")
    #expect(try scene.shell("stat -c %a to/g to/d to/d/h") == "600\n700\n600\n")
  }

  @Test(
    "A set-group-ID bit that appears during the copy changes no group (T13, T76)",
    arguments: ["-a", "-a --atomic"]
  )
  func group(options: String) throws {
    let scene = try Scene("\(Self.prepared); chgrp 65534 to")
    let outcome = try copy(options, in: scene, meanwhile: "chmod g+s to")
    #expect(outcome.succeeded, "\(outcome)")
    #expect(try scene.shell("find to -mindepth 1 ! -name p -printf '%G\\n' | sort -u") == "0\n")
  }

  @Test("Names are linked to the copy and not to a file in its place (T33, T76)")
  func linkedName() throws {
    let scene = try Scene(
      "\(Self.prepared); ln a/b d/cronfile; chown 65534 a; chmod 755 a; chmod 700 to"
    )
    let outcome = try copy(
      "-a",
      in: scene,
      meanwhile: "mv to/a/b to/a/old; echo evil >to/a/b"
    )
    #expect(outcome.succeeded, "\(outcome)")
    #expect(try scene.shell("cat to/d/cronfile; stat -c %u:%a to/d/cronfile") == "5\n0:640\n")
    #expect(try scene.shell("stat -c %u to/a/b") == "65534\n")
  }

  @Test("A file in the directory of another user is linked there as long as it is the copy (T33)")
  func keptLink() throws {
    let scene = try Scene("\(Self.prepared); ln a/b d/name; chown 65534 a")
    #expect(try copy("-a", in: scene, meanwhile: ":").succeeded)
    try scene.shell("[ to/a/b -ef to/d/name ]")
  }

  @Test("An overwritten file of another user is closed to its owner before its first byte (T15)")
  func overwritten() throws {
    let scene = try Scene("\(Self.prepared); echo old >to/p; chown 65534 to/p; chmod 666 to/p")
    let outcome = try copy(
      "-p",
      "p",
      in: scene,
      meanwhile:
        "until chmod 666 to/p 2>&1 | grep -q permitted; do :; done; "
        + "chmod 666 to/p && echo changed; cat to/p && echo read"
    )
    #expect(outcome.outputText == "", "\(outcome)")
    #expect(try scene.shell("stat -c %u:%a to/p; cat to/p") == "0:640\nx")
  }

  @Test("In a tree, a file of another user is removed and created again (T15, T76)")
  func foreignFile() throws {
    let scene = try Scene(
      """
      chmod 711 .; mkdir s to; echo good >s/f; chmod 4755 s/f; echo evil >to/f; chown -R 65534 to
      echo kept >s/own; echo old >to/own; stat -c %i to/own >inode; mkfifo wait; chmod 666 wait
      """
    )
    let script = """
      \(Self.asOther) bash -c 'exec 4<>to/f; : >wait; read -r <wait; echo evil >&4' & other=$!
      : <wait; "$0" -aT s to; status=$?; echo >wait; wait $other; exit $status
      """
    try runSuccessfully(
      ["bash", "-c", script, BuiltProgram.fastcp.path],
      directory: scene.place.path
    )
    #expect(try scene.shell("cat to/f; stat -c %u:%a to/f") == "good\n0:4755\n")
    try scene.shell("[ $(stat -c %i to/own) = $(cat inode) ]")
  }

  @Test(
    "No name is linked to a link or a file with the number of the copy (T33)",
    arguments: ["ln -s evil to/a/l", "echo evil >to/a/l"]
  )
  func linkedLink(replacement: String) throws {
    let scene = try Scene(
      "\(Self.prepared); ln -s good a/l; ln a/l d/l; chown -h 65534 a; chmod 755 a"
    )
    let change = "until rm to/a/l; do :; done; \(replacement)"
    #expect(try copy("-a", in: scene, meanwhile: change).succeeded)
    #expect(try scene.shell("readlink to/d/l; stat -c %u to/d/l") == "good\n0\n")
  }

  @Test(
    "A file that another user put in the place of a complete copy is copied again (T51, T76)",
    arguments: ["-aT", "-aT --durable"],
    [
      "chown 65534:65534 to/f; chmod 644 to/f", "chmod 600 to/f", "setfacl -m u:12:r s/f",
      "chmod 4755 s/f; chmod 755 to/f", "setfattr -n user.x -v 1 s/f",
      "chgrp 12 s/f", "chown 12 s/f; chmod 4755 s/f; chown 65534 to/f",
    ]
  )
  func kept(options: String, rights: String) throws {
    let scene = try Scene(
      "mkdir s to; chown 65534 to; echo good >s/f; echo evil >to/f; touch -r s/f to/f; \(rights)"
    )
    let words = options.split(separator: " ").map { String($0) } + ["--resume", "s", "to"]
    try runSuccessfully([BuiltProgram.fastcp.path] + words, directory: scene.place.path)
    #expect(try scene.shell("cat to/f") == "good\n")
    #expect(try scene.differences("s", "to") == [])
  }

  @Test("A user who has the former file open cannot write to the copy (T51, T76)")
  func openFile() throws {
    let scene = try Scene(
      """
      chmod 711 .; mkdir s to; chown 65534 to; echo same >s/f; chmod 755 s/f
      cp -p s/f to/f; chown 65534 to/f
      touch -d 2001-01-01 to/f s/f; mkfifo wait; chmod 666 wait
      """
    )
    let script = """
      \(Self.asOther) bash -c 'exec 4<>to/f; : >wait; read -r <wait; echo evil >&4' & other=$!
      : <wait; "$0" -aT --resume s to; status=$?; echo >wait; wait $other; exit $status
      """
    try runSuccessfully(
      ["bash", "-c", script, BuiltProgram.fastcp.path],
      directory: scene.place.path
    )
    #expect(try scene.shell("cat to/f; stat -c %u to/f") == "same\n0\n")
  }

  @Test("Equal files whose rights differ are compared and kept (T51)")
  func comparedAndKept() throws {
    let scene = try Scene(
      "mkdir s; echo good >s/f; chmod 755 s/f; cp -a s to; chmod 600 to/f; ls -i to/f >before"
    )
    try runSuccessfully(
      [BuiltProgram.fastcp.path, "-aT", "--resume", "s", "to"],
      directory: scene.place.path
    )
    try scene.shell("[ $(stat -c %a to/f) = 755 ]; ls -i to/f | cmp - before")
  }

  @Test("A partial file with an access list is not continued (T52, T76)")
  func partialWithList() throws {
    let scene = try Scene("mkdir s to; head -c 5000000 /dev/urandom >s/f; chmod 640 s/f")
    let name = try HiddenNames.name(PartialFile.number(of: "f"), of: KillTests.owner())
    try scene.shell(
      "cd to; head -c 4500000 ../s/f >\(name); setfacl -m u:12:rw \(name); chmod 600 \(name)"
    )
    let outcome = try scene.copy("-aT", "--resume", "--json", "s", "to")
    #expect(outcome.succeeded)
    #expect(outcome.outputText.contains("\"resumed_bytes\":0"), "\(outcome)")
    #expect(try scene.shell("getfacl -nc to/f | grep -c user:12 || true") == "0\n")
  }

  @Test(
    "A special file gets its rights where no other user can replace it (T35, T76)",
    arguments: ["mkfifo -m 666 s/q", "mknod -m 666 s/q b 7 200"]
  )
  func specialFile(creation: String) throws {
    let scene = try Scene(
      """
      chmod 711 .; mkdir s to; \(creation); chown 65534 s/q; chown 65534 to
      case '\(creation)' in mkfifo*) mkfifo -m 600 to/mine;; *) mknod -m 600 to/mine b 7 200;; esac
      stat -c %i to/mine >inode
      """
    )
    let script = """
      strace -f -qq -o /dev/null -e trace=mknodat,mknod -e inject=mknodat,mknod:delay_exit=300000 \
        "$0" -aT s to & copy=$!
      \(Self.asOther) bash -c 'until mv to/q to/x 2>/dev/null || [ -e done ]; do :; done
        mv to/mine to/q' & other=$!
      wait $copy; status=$?; : >done; wait $other; exit $status
      """
    _ = try run(
      ["bash", "-c", script, BuiltProgram.fastcp.path],
      environment: ["ASAN_OPTIONS": "detect_leaks=0"],
      directory: scene.place.path,
      timeout: .seconds(30)
    )
    // Whatever names the files have, the one that was there before keeps its rights.
    #expect(try scene.shell("find to -inum $(cat inode) -printf '%U %m\n'") == "0 600\n")
  }

  @Test("Special files replace others, and leave no hidden directory, in any directory (T35)")
  func specialFiles() throws {
    let scene = try Scene(
      """
      mkdir s to; mkfifo -m 640 s/q; mknod s/n c 1 3; mknod s/o b 7 200; echo 1 >to/q; ln -s q to/n
      chown 12:34 s/*; ln s/o s/p; chown 65534 to; chmod 777 to
      """
    )
    try runSuccessfully([BuiltProgram.fastcp.path, "-aT", "s", "to"], directory: scene.place.path)
    #expect(try scene.differences("s", "to") == [])
    try runSuccessfully([BuiltProgram.fastcp.path, "-aT", "s", "to"], directory: scene.place.path)
    #expect(try scene.differences("s", "to") == [])
  }

  @Test("Nothing is copied into a directory in the place of a new one (T76)")
  func replacedDirectory() throws {
    let scene = try Scene(
      """
      chmod 711 .; mkdir s s/d to to/mine; echo 1 >s/d/f; chmod 640 s/d/f
      chmod 750 s/d; chown 65534 to to/mine
      setfacl -m u:nobody:rwx -d -m u:nobody:rwx to/mine; setfacl -m u:nobody:rwx to/mine
      """
    )
    let script = """
      strace -f -qq -o /dev/null -e trace=mkdirat,mkdir -e inject=mkdirat,mkdir:delay_exit=300000 \
        "$0" -a s/d to & copy=$!
      \(Self.asOther) bash -c 'until mv -T to/d to/x 2>/dev/null || [ -e done ]; do :; done
        mv -T to/mine to/d' & other=$!
      wait $copy; status=$?; : >done; wait $other; exit $status
      """
    let outcome = try run(
      ["bash", "-c", script, BuiltProgram.fastcp.path],
      environment: ["ASAN_OPTIONS": "detect_leaks=0"],
      directory: scene.place.path,
      timeout: .seconds(30)
    )
    #expect(outcome.status == 1 && outcome.errorText.contains("cannot create directory 'to/d'"))
    #expect(try scene.shell("find to/d -mindepth 1; stat -c %u to/d") == "65534\n")
  }

  @Test("A file of another user is not shared with a copy (T71, T76)")
  func earlierFile() throws {
    try Need.xfs.orSkip()
    let image = try LoopImage(.xfs, megabytes: 320)
    let scene = try Scene(
      """
      mkdir s day; echo good >s/f; chmod 4755 s/f; echo evil >day/f; chown 65534 day/f
      touch -r s/f day/f
      """,
      in: image.path
    )
    for option in ["--reflink-dest", "--link-dest"] {
      #expect(try scene.copy("-aT", "\(option)=day", "s", "to\(option)").succeeded)
      #expect(try scene.shell("cat ./to\(option)/f") == "good\n")
    }
  }

  @Test("Blocks of a narrower file are not shared with a copy (T71, T76)")
  func narrowerEarlierFile() throws {
    try Need.xfs.orSkip()
    let image = try LoopImage(.xfs, megabytes: 320)
    // The owner of the directory has renamed a file that nobody else may read.
    let scene = try Scene(
      """
      umask 022; mkdir s day; chown 65534 day; echo known >s/f; echo close >day/f; chmod 600 day/f
      touch -r s/f day/f
      """,
      in: image.path
    )
    for (number, option) in ["-aT", "-rT", "-aT"].enumerated() {
      // The last source belongs to the user who has renamed the file, and has its mode.
      if number == 2 { try scene.shell("chown 65534 s/f; chmod 600 s/f; touch -r day/f s/f") }
      #expect(try scene.copy(option, "--reflink-dest=day", "s", "to\(number)").succeeded)
      #expect(try scene.shell("cat ./to\(number)/f") == "known\n")
    }
    // An existing file keeps its mode without -p.
    try scene.shell("chown 0 s/f; mkdir to; echo older >to/f; chmod 644 to/f; touch -r day/f s/f")
    for option in ["-rT", "--atomic"] {
      #expect(try scene.copy("-rT", option, "--reflink-dest=day", "s", "to").succeeded)
      #expect(try scene.shell("cat to/f") == "known\n")
    }
  }

  @Test("Without modes, no name is linked to a file with an access list (T71, T76)")
  func earlierList() throws {
    let scene = try Scene(
      """
      umask 022; mkdir s day; echo 1 >s/f; chmod 644 s/f; cp -p s/f day/f
      setfacl -m u:nobody:rw day/f; chmod 644 day/f; touch -r s/f day/f
      """
    )
    #expect(try scene.copy("-rT", "--link-dest=day", "s", "to").succeeded)
    #expect(try scene.shell("getfacl -c to/f | grep -c nobody || true") == "0\n")
  }

  @Test("A hidden file is never wider than its source and the file that it replaces (T12, T76)")
  func hiddenFile() throws {
    let scene = try Scene("echo 1 >f; chmod 600 f; echo old >g; chmod 604 g")
    try scene.shell(
      """
      strace -f -qq -o calls -e trace=openat,open "$COPIER" --atomic f g
      grep -E 'O_TMPFILE|O_CREAT' calls | grep -oE '0[0-7]+\\)' | sort -u >modes; cat modes
      """.replacing("$COPIER", with: BuiltProgram.fastcp.path)
    )
    #expect(try scene.shell("cat modes") == "0600)\n")
    #expect(try scene.shell("stat -c %a g") == "604\n")
  }
}
