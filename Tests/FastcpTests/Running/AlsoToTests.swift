import FileCopy
import IOChannelsTestSupport
import Testing

@testable import fastcp

/// `--also-to`, from the command line to the output.
@Suite("Copies to several destinations", .ends(withinMinutes: 10))
struct AlsoToTests {
  private static let tree = """
    mkdir -p s/d; for i in {1..20}; do echo $i >s/d/$i; done; ln s/d/1 s/hard
    head -c 3000000 /dev/urandom >s/large; truncate -s 5M s/holes; echo x >>s/holes
    """

  private func parsed(_ words: String...) throws(UsageError) -> CopyRequest? {
    let arguments = ArgumentParser().parse((words + ["a", "b"]).map { BytePath($0) })
    if case .copy(let request) = try Command(arguments) { return request }
    return nil
  }

  @Test("The option may be repeated, and combinations without a meaning are refused (T74)")
  func options() throws {
    let request = try #require(try parsed("-a", "--also-to=c", "--also-to", "d"))
    #expect(request.options.furtherDestinations == ["c", "d"])
    let refused = [
      ("-i", "--interactive"), ("--direct", "--direct"), ("--direct=auto", "--direct"),
      ("--link-dest=d", "--link-dest"), ("--reflink-dest=d", "--reflink-dest"),
    ]
    for (word, name) in refused {
      #expect(throws: UsageError.cannotCombine("--also-to", name)) {
        try parsed("-a", "--also-to=c", word)
      }
    }
    #expect(throws: UsageError.cannotCombine("--check", "--also-to")) {
      try parsed("--check=m", "--also-to=c")
    }
    for word in [
      "--direct=never", "--resume", "--manifest=m", "--verify", "--durable", "--sync", "--atomic",
      "--delete", "--dry-run", "--bwlimit=1M", "-b", "-l", "-s", "-n", "-u", "--json", "--quiet",
    ] {
      let request = try parsed("-a", "--also-to=c", word)
      #expect(request?.options.furtherDestinations == ["c"], "\(word)")
    }
  }

  @Test("Each destination is interpreted like DEST (T72)")
  func placement() throws {
    let scene = try Scene("\(Self.tree); mkdir t u")
    #expect(try scene.copy("-a", "--also-to=u", "s", "t").succeeded)
    #expect(try scene.copy("-a", "--also-to=new", "s", "new2").succeeded)
    for copy in ["t/s", "u/s", "new", "new2"] { #expect(try scene.differences("s", copy) == []) }
    #expect(try scene.copy("--parents", "--also-to=u", "s/d/1", "t").succeeded)
    #expect(try scene.shell("cat t/s/d/1 u/s/d/1") == "1\n1\n")
    let listed = try scene.copy("-t", "t", "--also-to=u", "--files-from=names", "s/d/2")
    #expect(listed.errorText.contains("cannot read names from 'names'"))
    try scene.shell("printf 's/d/3\\n' >names")
    #expect(try scene.copy("-t", "t", "--also-to=u", "--files-from=names", "s/d/2").succeeded)
    #expect(try scene.shell("cat t/2 t/3 u/2 u/3") == "2\n3\n2\n3\n")
    try scene.shell("echo old >t/s/gone; echo old >u/s/gone")
    #expect(try scene.copy("-a", "--delete", "--also-to=u", "s", "t").succeeded)
    for copy in ["t/s", "u/s"] { #expect(try scene.differences("s", copy) == []) }
    #expect(try scene.copy("-ab", "--also-to=u", "s/d/2", "t").succeeded)
    #expect(try scene.shell("cat t/2~ u/2~") == "2\n2\n")
  }

  @Test("Parts of a copy, and a dry run, concern each destination (T68, T72)")
  func parts() throws {
    let scene = try Scene(Self.tree)
    for part in ["0/2", "1/2", "finish"] {
      let outcome = try scene.copy("-aT", "--shard=\(part)", "--also-to=u", "s", "t")
      #expect(outcome.succeeded, "\(outcome)")
    }
    for copy in ["t", "u"] { #expect(try scene.differences("s", copy) == []) }
    let dry = try scene.copy("-rT", "--dry-run", "--also-to=w", "s", "v")
    #expect(dry.succeeded && dry.outputText.contains("'s/large' -> 'v/large'"), "\(dry)")
    #expect(dry.outputText.contains("'s/large' -> 'w/large'"))
    try scene.shell("! [ -e v ]; ! [ -e w ]")
  }

  @Test("The bytes of a source are read once (T72)", arguments: ["--reflink=never", "--verify"])
  func readOnce(option: String) throws {
    // Only files that were not written to in this tick of the clock are shared.
    let scene = try Scene(
      """
      mkdir s; head -c 20000000 /dev/urandom >s/large; for i in 1 2 3; do echo $i >s/$i; done
      sleep 0.02
      """,
      in: "/dev/shm"
    )
    let far = try TemporaryDirectory()
    for name in ["large", "1"] {
      try runSuccessfully(
        [
          "strace", "-f", "-qq", "-e", "trace=read,pread64", "-P", "s/\(name)", "-o", "log",
          BuiltProgram.fastcp.path, "-rT", option, "--reflink=never", "--also-to=u-\(name)",
          "--also-to=\(far(name))", "s", "t-\(name)",
        ],
        environment: ["ASAN_OPTIONS": "detect_leaks=0"],
        directory: scene.place.path
      )
      let sum = try scene.shell(
        "sed -n 's/.* = \\([0-9]*\\)$/\\1/p' log | awk '{n += $1} END {print n}'"
      )
      let size = try scene.shell("stat -c %s s/\(name)")
      #expect(sum == size, "\(name)")
      for copy in ["t-\(name)", "u-\(name)", far(name)] {
        try scene.shell("diff -r s '\(copy)'")
      }
    }
  }

  @Test("A destination that does not answer stops no other one (T72, F16)", .needs(.root, .fuse))
  func stuck() throws {
    let slow = try FaultFileSystem()
    let scene = try Scene(
      "head -c 80000000 /dev/urandom >f; mkdir t; sleep 0.02",
      in: "/dev/shm"
    )
    try slow.setRules("write * 1 hang 1")
    let copy = try ChildProcess(
      [BuiltProgram.fastcp.path, "--also-to=\(slow.path)", "f", "t"],
      directory: scene.place.path
    )
    try slow.waitForUse()
    // The file has its name when it is complete.
    try scene.shell("until [ -e t/f ]; do sleep 0.01; done; cmp f t/f")
    try slow.setRules()
    let outcome = try copy.wait(timeout: .seconds(60))
    #expect(outcome.succeeded, "\(outcome)")
    try scene.shell("cmp f '\(slow.behind)/f'")
  }

  @Test("A full destination is reported, and the others are complete (T73, T31)", .needs(.root))
  func full() throws {
    let small = try MemoryFileSystem(kibibytes: 1024)
    let scene = try Scene(Self.tree)
    let target = "\(small.path)/t"
    let outcome = try scene.copy(
      "-aT",
      "--jobs=1",
      "--verify",
      "--json",
      "--also-to=\(target)",
      "--also-to=u",
      "s",
      "t"
    )
    #expect(outcome.status == 1)
    #expect(
      outcome.errorLines.filter { $0.hasPrefix("fastcp: ") && !$0.contains("warning: ") } == [
        "fastcp: error writing '\(target)/large': No space left on device",
        "fastcp: copy to '\(target)' is incomplete: 1 error",
      ]
    )
    for copy in ["t", "u"] { #expect(try scene.differences("s", copy) == []) }
    let objects = outcome.outputText.split(separator: "\n")
    let results = objects.filter { $0.contains(#""type":"destination""#) }
    #expect(results.count == 3)
    #expect(results.count { $0.contains(#""complete":true"#) } == 2)
    #expect(results.contains { $0.contains(target) && $0.contains(#""errors":1"#) })
    #expect(objects.last?.contains(#""errors":1"#) ?? false)
    try scene.shell("cmp s/holes '\(target)/holes'; ! [ -e '\(target)/large' ]")
  }

  @Test("A failing destination is reported by name, and each file is tried (T73)", .needs(.fuse))
  func failing() throws {
    let faulty = try FaultFileSystem()
    let scene = try Scene("mkdir s; for i in 1 2 3; do head -c 200000 /dev/urandom >s/$i; done")
    try faulty.setRules("write * 1+ errno 5")
    let outcome = try scene.copy("-rT", "--stats", "--also-to=\(faulty.path)/t", "s", "t")
    try faulty.setRules()
    #expect(outcome.status == 1)
    #expect(
      outcome.errorLines.sorted()
        == [
          "fastcp: copy to '\(faulty.path)/t' is incomplete: 3 errors",
          "fastcp: error writing '\(faulty.path)/t/1': Input/output error",
          "fastcp: error writing '\(faulty.path)/t/2': Input/output error",
          "fastcp: error writing '\(faulty.path)/t/3': Input/output error",
        ]
    )
    #expect(outcome.outputText.contains("to 't': 3 files"), "\(outcome)")
    #expect(try scene.differences("s", "t", ignoring: [.allocated, .time]) == [])
  }

  @Test("A destination that is stopped by the error of another one is named, too (T73)")
  func failFast() throws {
    let scene = try Scene("head -c 3000000 /dev/urandom >f")
    let outcome = try scene.copy(
      "--fail-fast",
      "--reflink=never",
      "--bwlimit=1000",
      "--also-to=none/u",
      "f",
      "t"
    )
    #expect(outcome.status == 1)
    let lines = outcome.errorLines
    #expect(lines.contains("fastcp: copy to 'none/u' is incomplete: 1 error"), "\(lines)")
    #expect(lines.contains("fastcp: copy to 't' is incomplete: stopped"), "\(lines)")
  }

  @Test("An unreadable source is reported once, and no destination has it (T73)", .needs(.fuse))
  func unreadable() throws {
    let faulty = try FaultFileSystem(isDirect: true)
    let scene = try Scene("head -c 200000 /dev/zero >'\(faulty.behind)/bad'; echo 1 >f; mkdir t u")
    try faulty.setRules("read * 1+ errno 5")
    let outcome = try scene.copy("--also-to=u", "\(faulty.path)/bad", "f", "t")
    try faulty.setRules()
    #expect(outcome.status == 1)
    #expect(
      outcome.errorLines == [
        "fastcp: error reading '\(faulty.path)/bad': Input/output error",
        "fastcp: copy to 't' is incomplete: 1 error",
        "fastcp: copy to 'u' is incomplete: 1 error",
      ]
    )
    #expect(try scene.shell("ls -A t u; cat t/f u/f") == "t:\nf\n\nu:\nf\n1\n1\n")
  }

  @Test("A source that can be read only once is an error, and is not opened (T74)")
  func onceOnly() throws {
    let scene = try Scene("mkfifo p; ln p q; echo 1 >f; mkdir t u")
    #expect(try scene.copy("--dry-run", "--also-to=u", "p", "t").status == 1)
    let outcome = try scene.copy("--jobs=1", "--also-to=u", "p", "q", "f", "t")
    #expect(outcome.status == 1)
    #expect(
      outcome.errorLines.sorted() == [
        "fastcp: cannot open 'p' for reading: Illegal seek",
        "fastcp: cannot open 'q' for reading: Illegal seek",
        "fastcp: copy to 't' is incomplete: 2 errors",
        "fastcp: copy to 'u' is incomplete: 2 errors",
      ]
    )
    #expect(try scene.shell("cat t/f u/f; ls t u") == "1\n1\nt:\nf\n\nu:\nf\n")
    // A recursive copy creates the FIFO again.
    #expect(try scene.copy("-r", "--also-to=u", "p", "t").succeeded)
    try scene.shell("[ -p t/p ]; [ -p u/p ]")
  }

  @Test("A destination that cannot be examined fails alone (T73)", .needs(.root, .fuse))
  func unexamined() throws {
    let faulty = try FaultFileSystem()
    let scene = try Scene("mkdir s; echo 1 >s/f; mkdir '\(faulty.behind)/u'")
    let target = "\(faulty.path)/u"
    var hasFailedAtCheck = false
    // One of the first questions about the destination is that of the check.
    for number in 1...8 {
      try faulty.setRules("getattr u \(number) errno 5")
      let outcome = try scene.copy("-rT", "--also-to=\(target)", "s", "t-\(number)")
      try faulty.setRules()
      #expect(try scene.shell("cat t-\(number)/f") == "1\n", "\(number): \(outcome)")
      let lines = outcome.errorLines
      #expect(outcome.succeeded == lines.isEmpty, "\(number): \(outcome)")
      #expect(!lines.contains { $0.contains("copy to 't") }, "\(number): \(outcome)")
      if lines.first == "fastcp: cannot stat '\(target)': Input/output error" {
        hasFailedAtCheck = true
      }
    }
    #expect(hasFailedAtCheck)
  }

  @Test("A status of 42 depends on the errors of all destinations (T70, T73)", .needs(.root))
  func statuses() throws {
    let small = try MemoryFileSystem(kibibytes: 1024)
    let scene = try Scene(
      """
      mkdir -p s t/s u; mkfifo p; touch s/{1..1001}; mkdir t/s/{1..1001}
      head -c 2000000 /dev/urandom >s/large
      """
    )
    let scheduler = "--exit-codes=scheduler"
    #expect(try scene.copy("-rT", scheduler, "--also-to=t/in", "s", "t").status == 42)
    #expect(try scene.copy(scheduler, "--also-to=u", "p", "t").status == 42)
    #expect(try scene.copy("-r", scheduler, "--also-to=u", "s", "t").status == 42)
    #expect(try scene.copy("-r", "--also-to=u", "s", "t").status == 1)
    // The list of all errors ends before that of the second destination.
    let full = try scene.copy("-r", scheduler, "--also-to=\(small.path)", "s", "t")
    #expect(full.status == 1)
    #expect(full.errorText.contains("No space left on device"))
    #expect(full.errorText.contains("copy to 't' is incomplete: 1,001 errors"))
  }

  @Test("A manifest inside a destination is not removed as extraneous (T57, T66)")
  func manifest() throws {
    let scene = try Scene("mkdir s t u u/old; for i in {1..9}; do echo $i >s/$i; done; : >u/gone")
    for list in ["u/old/m", "u/m", "t/m"] {
      for _ in 1...2 {
        let outcome = try scene.copy(
          "-aT",
          "--delete",
          "--manifest=\(list)",
          "--checksum=sha256",
          "--also-to=u",
          "s",
          "t"
        )
        #expect(outcome.succeeded, "\(outcome)")
        for copy in ["t", "u"] {
          try scene.shell("cd \(copy); sha256sum --check --strict --quiet ../\(list)")
        }
      }
    }
    let entries = try scene.shell("(cd t; find . | sort); (cd u; find . | sort); (cd s; find .)")
    // The other lists are extraneous, and so is their directory.
    #expect(entries.split(separator: "\n").count == 31, "\(entries)")
  }

  @Test("Files without positions are copied from their start (T72)", .needs(.root, .fuse))
  func streams() throws {
    let faulty = try FaultFileSystem(hasPositions: false)
    let scene = try Scene(
      """
      mkdir s; head -c 3000000 /dev/urandom >s/large; echo 1 >s/small
      truncate -s 1M s/holes; echo x >>s/holes; cp -r s '\(faulty.behind)'
      # On FUSE, times are taken for those of a clock with steps of up to three seconds.
      sleep 3.1
      """
    )
    let source = "\(faulty.path)/s"
    for options in [["--also-to=u"], []] {
      let outcome = try run(
        [BuiltProgram.fastcp.path, "-rT", "--reflink=never"] + options + [source, "t"],
        directory: scene.place.path
      )
      #expect(outcome.succeeded, "\(outcome)")
      try scene.shell("diff -r s t; ! [ -e u ] || diff -r s u; rm -rf t u")
    }
    let back = try scene.copy("-rT", "--also-to=\(faulty.path)/u", "s", "\(faulty.path)/t")
    #expect(back.succeeded, "\(back)")
    try scene.shell("diff -r s '\(faulty.behind)/t'; diff -r s '\(faulty.behind)/u'")
  }

  @Test("A signal ends the copy to each destination and leaves no partial file (F14)")
  func interrupted() throws {
    let scene = try Scene("mkdir s; head -c 3000000 /dev/urandom >s/f")
    let copy = try ChildProcess(
      [
        BuiltProgram.fastcp.path, "-r", "--reflink=never", "--bwlimit=1000", "--also-to=u", "s",
        "t",
      ],
      directory: scene.place.path
    )
    try scene.shell("until [ -d t ] && [ -d u ]; do sleep 0.01; done")
    copy.send(signal: 2)
    let outcome = try copy.wait()
    #expect(outcome.signal == 2, "\(outcome)")
    #expect(outcome.errorText.contains("stopped"))
    #expect(try scene.shell("find t u -type f") == "")
  }
}
