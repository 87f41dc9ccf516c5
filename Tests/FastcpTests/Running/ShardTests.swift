import FileCopy
import IOChannelsTestSupport
import Testing

@testable import fastcp

/// Several processes copy the parts of one tree.
@Suite("Copies in parts", .ends(withinMinutes: 20))
struct ShardTests {
  private static let tree = """
    mkdir -p s/a/b s/c s/empty/deep; for i in {1..40}; do echo $i >s/a/$i; echo $i$i >s/a/b/$i; done
    head -c 300000 /dev/urandom >s/large; truncate -s 2M s/c/holes; echo x >>s/c/holes
    for i in {1..10}; do ln s/a/$i s/c/link$i; ln s/a/$i s/a/b/other$i; done
    ln -s a s/symbolic; mkfifo s/c/fifo; : >$'s/c/new\\nline'
    chmod 750 s/a; chmod 711 s/c; touch -d 2001-02-03 s/a/b s/c s/empty s
    """

  private func copyParts(
    _ scene: Scene,
    of count: Int,
    _ options: String = "-aT",
    skipping skipped: Set<Int> = []
  ) throws {
    for index in (0..<count).reversed() where !skipped.contains(index) {
      let outcome = try scene.copy(options, "--shard=\(index)/\(count)", "s", "t")
      #expect(outcome.succeeded, "\(outcome)")
    }
  }

  @Test(
    "All parts and the last step make the copy of one process (T68, T69)",
    arguments: [1, 2, 5]
  )
  func complete(count: Int) throws {
    let scene = try Scene(Self.tree)
    try copyParts(scene, of: count)
    let before = try scene.shell("find t -name '.fastcp-*' | wc -l")
    #expect(before == "\(count)\n")
    let finish = try scene.copy("-aT", "--shard=finish", "s", "t")
    #expect(finish.succeeded && finish.errorText.isEmpty, "\(finish)")
    #expect(try scene.differences("s", "t") == [])
    // A further run without parts finds everything complete.
    let summary = try JSONSummary(try scene.copy("-aT", "--resume", "--json", "s", "t"))
    #expect(summary.number("files") == 0)
  }

  @Test("Each file is copied by one part only (T68)")
  func disjoint() throws {
    let scene = try Scene(Self.tree)
    var (files, links, others) = (0, 0, 0)
    for index in 0..<4 {
      let summary = try JSONSummary(
        try scene.copy("-aT", "--shard=\(index)/4", "--json", "s", "t")
      )
      files += summary.number("files") ?? 0
      links += summary.number("hardlinks") ?? 0
      others += (summary.number("symlinks") ?? 0) + (summary.number("special") ?? 0)
    }
    #expect(files == 83)
    #expect(links == 20)
    #expect(others == 2)
  }

  @Test("Parts run at the same time, and each one again (T68, T36)", arguments: ["-aT", "-rT"])
  func concurrent(options: String) throws {
    let scene = try Scene(Self.tree)
    let program = BuiltProgram.fastcp.path
    let ignored: Set<TreeListing.Field> =
      options == "-aT" ? [.allocated] : [.allocated, .time]
    for round in 1...Tier.count(quick: 1, full: 50) {
      // Two processes have each number. A later run finds what an earlier one has copied.
      for _ in 1...2 {
        try scene.shell(
          """
          for i in 0 1 2 3 0 1 2 3; do
            '\(program)' \(options) --resume --preserve=links --shard=$i/4 s t & all="$all $!"
          done
          for p in $all; do wait $p; done
          """
        )
      }
      #expect(try scene.copy(options, "--preserve=links", "--shard=finish", "s", "t").succeeded)
      #expect(try scene.differences("s", "t", ignoring: ignored) == [], "round \(round)")
      #expect(try scene.shell("find t -name '.fastcp-*'; rm -r t") == "")
    }
  }

  @Test("A part that dies is run again, and then the copy is complete (T68, T69, F13)")
  func killed() throws {
    let scene = try Scene(Self.tree + "; head -c 30000000 /dev/urandom >s/huge")
    // The part of the largest file.
    let rule = { (index: Int) in
      try scene.copy("-aT", "--shard=\(index)/3", "--dry-run", "s", "t").outputText.contains("huge")
    }
    let victim = try #require(try (0..<3).first(where: rule))
    let copy = try ChildProcess(
      [
        BuiltProgram.fastcp.path, "-aT", "--resume", "--bwlimit=4M", "--reflink=never",
        "--shard=\(victim)/3", "s", "t",
      ],
      directory: scene.place.path
    )
    try scene.shell("until [ -d t ] && [ $(du -sb t | cut -f 1) -gt 4000000 ]; do sleep 0.01; done")
    copy.send(signal: 9)
    #expect(try copy.wait().signal == 9)
    try copyParts(scene, of: 3, skipping: [victim])
    let early = try scene.copy("-aT", "--shard=finish", "s", "t")
    #expect(early.status == 1)
    #expect(early.errorText == "fastcp: part \(victim)/3 has not reported in 't'\n", "\(early)")
    let again = try scene.copy("-aT", "--resume", "--json", "--shard=\(victim)/3", "s", "t")
    #expect(try JSONSummary(again).number("resumed_bytes") ?? 0 > 0)
    #expect(try scene.copy("-aT", "--shard=finish", "s", "t").succeeded)
    #expect(try scene.differences("s", "t") == [])
    #expect(try scene.shell("find t -name '.fastcp-*'") == "")
  }

  @Test("The last step changes nothing before all parts have reported (T69)")
  func early() throws {
    let scene = try Scene(Self.tree)
    let none = try scene.copy("-aT", "--shard=finish", "s", "t")
    #expect(none.errorText == "fastcp: target directory 't': No such file or directory\n")
    try scene.shell("mkdir t")
    let empty = try scene.copy("-aT", "--shard=finish", "s", "t")
    #expect(empty.errorText == "fastcp: no part of the copy has reported in 't'\n")
    try copyParts(scene, of: 4, skipping: [1, 2])
    let times = try scene.shell("stat -c '%n %a %y' t t/a t/c")
    let finish = try scene.copy("-aT", "--shard=finish", "s", "t")
    #expect(finish.status == 1)
    #expect(
      finish.errorLines == [
        "fastcp: part 1/4 has not reported in 't'", "fastcp: part 2/4 has not reported in 't'",
      ]
    )
    #expect(try scene.shell("stat -c '%n %a %y' t t/a t/c") == times)
  }

  @Test(
    "The last step preserves what the other options imply for the parts (T69, T71)",
    arguments: ["--link-dest=old", "--reflink-dest=old", "--resume"]
  )
  func impliedTimes(option: String) throws {
    let scene = try Scene(Self.tree + "; mkdir old")
    for shard in ["0/2", "1/2", "finish"] {
      let outcome = try scene.copy("-rT", option, "--shard=\(shard)", "s", "t")
      #expect(outcome.succeeded, "\(outcome)")
    }
    let times = try ["s", "t"].map { try scene.shell("cd \($0); stat -c %Y . a/b c empty") }
    #expect(times[0] == times[1])
  }

  @Test("Two processes with one number leave a part out, and the last step names it (T69)")
  func sameNumber() throws {
    let scene = try Scene(Self.tree)
    for index in [0, 1, 1] {
      #expect(try scene.copy("-aT", "--shard=\(index)/3", "s", "t").succeeded)
    }
    let finish = try scene.copy("-aT", "--shard=finish", "s", "t")
    #expect(finish.errorText == "fastcp: part 2/3 has not reported in 't'\n")
  }

  @Test("Parts of different numbers of parts are refused (T69)")
  func mixed() throws {
    let scene = try Scene(Self.tree)
    try copyParts(scene, of: 2)
    #expect(try scene.copy("-aT", "--shard=0/3", "s", "t").succeeded)
    let finish = try scene.copy("-aT", "--shard=finish", "s", "t")
    #expect(finish.status == 1)
    #expect(finish.errorText == "fastcp: parts of 2 and of 3 parts have reported in 't'\n")
  }

  @Test("Copies that vanished or have another length are named (T69)")
  func damaged() throws {
    let scene = try Scene(Self.tree)
    try copyParts(scene, of: 2)
    try scene.shell(
      "rm t/a/17; echo longer >>t/a/18; rm t/symbolic; mkdir t/symbolic; rm -r t/empty"
    )
    let finish = try scene.copy("-aT", "--shard=finish", "s", "t")
    #expect(finish.status == 1)
    #expect(
      finish.errorLines.sorted() == [
        "fastcp: copy 't/a/17' of 's/a/17' is missing",
        "fastcp: copy 't/a/18' has another type or length than 's/a/18'",
        "fastcp: copy 't/empty' of 's/empty' is missing",
        "fastcp: copy 't/symbolic' has another type or length than 's/symbolic'",
      ]
    )
    // The reports stay, so that the step can run again.
    #expect(try scene.shell("find t -name '.fastcp-*' | wc -l") == "2\n")
  }

  @Test("A part that fails does not report, also if an earlier run did (T69)", .needs(.root, .fuse))
  func failed() throws {
    let faulty = try FaultFileSystem()
    let scene = try Scene("mkdir '\(faulty.behind)/s'; echo 1 >'\(faulty.behind)/s/f'")
    let source = "\(faulty.path)/s"
    #expect(try scene.copy("-aT", "--shard=0/1", source, "t").succeeded)
    #expect(try scene.shell("ls -A t") == ".fastcp-part-0-of-1\nf\n")
    try scene.shell("echo 2 >>'\(faulty.behind)/s/f'")
    try faulty.setRules("read f 1+ errno 5")
    let failed = try scene.copy("-aT", "--shard=0/1", source, "t")
    try faulty.setRules()
    #expect(failed.status == 1, "\(failed)")
    #expect(try scene.shell("ls -A t") == "f\n")
  }

  @Test("A report that cannot be updated makes the part fail (T69)")
  func unwritable() throws {
    let scene = try Scene("mkdir s t; echo 1 >s/f; mkdir t/.fastcp-part-0-of-1")
    let outcome = try scene.copy("-aT", "--shard=0/1", "s", "t")
    #expect(outcome.status == 1)
    #expect(
      outcome.errorText == "fastcp: cannot update report 't/.fastcp-part-0-of-1': Is a directory\n",
      "\(outcome)"
    )
  }

  @Test("Links that are followed are further names of their files, all in one part (T68)")
  func followedLinks() throws {
    let scene = try Scene(
      Self.tree + "; rm s/symbolic; for i in {1..30}; do ln -s ../a/b/$i s/c/to$i; done"
    )
    #expect(try scene.copy("-aLT", "s", "one").succeeded)
    try copyParts(scene, of: 5, "-aLT")
    #expect(try scene.copy("-aLT", "--shard=finish", "s", "t").succeeded)
    #expect(try scene.differences("one", "t") == [])
    try scene.shell("for i in {1..30}; do [ t/c/to$i -ef t/a/b/$i ]; done")
  }

  @Test("The lists of all parts together are the manifest of the copy (T66, T68)")
  func manifests() throws {
    let scene = try Scene(Self.tree)
    // A part that runs again lists the files that it keeps.
    for index in [0, 1, 2, 1] {
      let outcome = try scene.copy(
        "-aT",
        "--resume",
        "--shard=\(index)/3",
        "--manifest=m",
        "s",
        "t"
      )
      #expect(outcome.succeeded, "\(outcome)")
    }
    #expect(try scene.copy("-aT", "--shard=finish", "s", "t").succeeded)
    #expect(try scene.shell("ls -d m*") == "m.0-of-3\nm.1-of-3\nm.2-of-3\n")
    try scene.shell("cat m.*-of-3 >all; [ $(wc -l <all) = $(find s -type f -printf x | wc -c) ]")
    let check = try scene.copy("--check=all", "t")
    #expect(check.succeeded && check.output.isEmpty, "\(check)")
  }

  @Test("A file of the source cannot pass for the report of a part (T69)")
  func forgedReport() throws {
    let scene = try Scene("mkdir -p s/d t u; for d in s s/d u; do : >$d/.fastcp-part-1-of-2; done")
    for index in 0..<2 { _ = try scene.copy("-aT", "--shard=\(index)/2", "s", "t") }
    let copied = try scene.copy("-a", "--shard=0/1", "-t", "t", "u/.fastcp-part-1-of-2")
    #expect(copied.status == 1)
    let finish = try scene.copy("-aT", "--shard=finish", "s", "t")
    #expect(finish.status == 1)
    #expect(finish.errorText.contains(" has not reported in 't'"), "\(finish)")
    // One in an inner directory is a file like others.
    try scene.shell("[ -f t/d/.fastcp-part-1-of-2 ]; rm s/.fastcp-part-1-of-2")
    for index in 0..<2 {
      #expect(try scene.copy("-aT", "--shard=\(index)/2", "s", "t").succeeded)
    }
    #expect(try scene.copy("-aT", "--shard=finish", "s", "t").succeeded)
    #expect(try scene.differences("s", "t") == [])
  }

  @Test("The last step sets the modes of new directories only, unless modes are preserved (T69)")
  func modes() throws {
    let scene = try Scene(
      "umask 22; mkdir -p s/new s/old t/old; echo 1 >s/new/f; echo 2 >s/old/f; chmod 700 t t/old"
    )
    let program = BuiltProgram.fastcp.path
    try scene.shell(
      """
      umask 2; chmod 777 s/new
      for part in 0/2 1/2 finish; do '\(program)' -rT --shard=$part s t; done
      """
    )
    #expect(try scene.shell("stat -c %a t t/old t/new") == "700\n700\n775\n")
    #expect(try scene.shell("cat t/new/f t/old/f") == "1\n2\n")
  }

  @Test("Operands that are files belong to one part each (T68)")
  func operands() throws {
    let scene = try Scene("mkdir t; for i in {1..20}; do echo $i >f$i; done; ln f1 g1; ln f2 g2")
    var copied = 0
    for index in 0..<3 {
      let files = try scene.shell("ls f* g*").split(separator: "\n").map(String.init)
      let outcome = try run(
        [BuiltProgram.fastcp.path, "-a", "--json", "--shard=\(index)/3", "-t", "t"] + files,
        directory: scene.place.path
      )
      copied += try JSONSummary(outcome).number("files") ?? 0
    }
    #expect(copied == 20)
    let program = BuiltProgram.fastcp.path
    let finish = try scene.shell("'\(program)' -a --shard=finish -t t f* g*; ls -A t")
    #expect(finish.split(separator: "\n").count == 22)
    try scene.shell("for f in f* g*; do cmp $f t/$f; done; [ t/f1 -ef t/g1 ]; [ t/f2 -ef t/g2 ]")
  }

  @Test("The part comes from the variables of a launcher, and --debug names them (T68)")
  func variables() throws {
    let scene = try Scene(Self.tree)
    for index in 0..<3 {
      let outcome = try scene.copy(
        "-aT",
        "--debug",
        "--shard=auto",
        "s",
        "t",
        environment: ["JOB_COMPLETION_INDEX": "\(index)", "FASTCP_SHARDS": "3"]
      )
      #expect(outcome.succeeded)
      #expect(
        outcome.outputText.hasPrefix("part: \(index)/3 ($JOB_COMPLETION_INDEX, $FASTCP_SHARDS)\n"),
        "\(outcome)"
      )
    }
    let half = try scene.copy(
      "-aT",
      "--shard=auto",
      "s",
      "u",
      environment: ["JOB_COMPLETION_INDEX": "0"]
    )
    #expect(half.status == 1)
    #expect(try scene.shell("ls") == "s\nt\n")
    #expect(try scene.copy("-aT", "--shard=finish", "s", "t").succeeded)
    #expect(try scene.differences("s", "t") == [])
  }

  @Test(
    "With scheduler statuses, 42 states that a further attempt would fail (T70)",
    arguments: [
      ("s/f", "t", 0), ("nothing", "t", 1), ("s", "t", 42), ("s/f", "no/t", 1), ("s/f", "s/f", 42),
      ("--shard=1/1 -T s/f", "t", 42), ("--unknown s/f", "t", 42), ("s/f", "file/t", 42),
    ]
  )
  func statuses(source: String, destination: String, status: Int) throws {
    let scene = try Scene("mkdir s; echo 1 >s/f; echo 1 >file")
    let program = BuiltProgram.fastcp.path
    let result = try scene.shell(
      "'\(program)' --exit-codes=scheduler \(source) \(destination) 2>/dev/null || echo $?"
    )
    #expect(result == (status == 0 ? "" : "\(status)\n"))
    let standard = try scene.shell("rm -f t; '\(program)' \(source) \(destination) 2>&1 || echo $?")
    #expect(status == 0 || standard.hasSuffix("\n1\n"), "\(standard)")
  }
}
