import IOChannelsTestSupport
import Testing

/// The command and the installed `cp` do the same in twin places and say the same.
@Suite("Same as cp")
struct TwinTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var prepare: String
    var arguments: [String]

    var testDescription: String { "[\(prepare)] \(arguments)" }

    init(_ arguments: String..., after prepare: String = ":") {
      self.prepare = prepare
      self.arguments = arguments
    }
  }

  private static let common =
    "echo x>f; echo yy>g; mkdir d; echo z>d/h; mkdir d/sub; "
    + "ln -s f l; ln -s d ld; ln -s nowhere dang"

  private func compare(_ twin: Case, locale: String = "C.UTF-8") throws {
    let script = "\(TwinTests.common); \(twin.prepare)"
    var told: [String] = []
    var trees: [String] = []
    for program in ["cp", BuiltProgram.fastcp.path] {
      let place = try TemporaryDirectory()
      try runSuccessfully(["bash", "-ec", script], directory: place.path)
      let outcome = try run(
        [program] + twin.arguments,
        environment: ["LC_ALL": locale],
        directory: place.path,
        timeout: .seconds(20)
      )
      let name = program.split(separator: "/").last ?? ""
      let lines = outcome.errorText.split(separator: "\n").map { line in
        line.hasPrefix("\(name): ")
          ? "cp" + line.dropFirst(name.count)
          : line.split(separator: "'\(name) ").joined(separator: "'cp ")
      }
      .map { (line: String) in Twin.withoutNonDirectory(line[...]) }
      let output = outcome.outputText.split(separator: "\n").sorted()
      told.append("\(outcome.status) \(outcome.signal)\n\(lines.sorted())\n\(output)")
      trees.append(
        try runSuccessfully(
          [
            "bash", "-c",
            "find . -printf '%p %y %m %U %G %n %l\\n' | sort; find . -type f | sort | xargs cat",
          ],
          directory: place.path
        )
      )
    }
    #expect(told[0] == told[1])
    #expect(trees[0] == trees[1])
  }

  @Test(
    "Operands and where they go (T1, T2)",
    arguments: [
      Case("-v", "f", "new"), Case("-v", "f", "d"), Case("-rv", "d", "new"),
      Case("-rv", "d", "new/"), Case("-rv", "d/", "new"), Case("-rv", "d/.", "new"),
      Case("-rv", "d/.", "new", after: "mkdir new"),
      Case("-rv", "p/q/..", "new", after: "mkdir -p p/q new; echo 1 >p/k"),
      Case("-rTv", "d", "new", after: "mkdir new"), Case("-rv", "d", "new", after: "mkdir new"),
      Case("f", "nodir/"), Case("f", "nodir/x"), Case("f", "f/x"), Case("f", "g/"),
      Case("f/", "x"), Case("-r", "d", "nodir/x"), Case("-d", "l", "nodir/x"), Case("f", "."),
      Case("-t", "nodir", "f"), Case("f", "g", "nodir"), Case("f", "g", "f"), Case("", "x"),
      Case("f", ""), Case("-r", "l", "dang", "d/h", "-t", "d/sub"),
      Case("-l", "f", "nodir/x"), Case("-s", "f", "nodir/x"), Case("-dl", "l", "nodir/x"),
      Case("-s", "/bin/sh", "nodir/x"), Case("-rl", "d", "nodir/x"), Case("-l", "f", "f/x"),
      Case("-a", "p", "nodir/x", after: "mkfifo p"), Case("-R", "/dev/null", "nodir/x"),
      Case("/dev/null", "nodir/x"), Case("-d", "l", "new/"), Case("-l", "f", "new/"),
      Case("-s", "f", "new/"), Case("-a", "p", "new/", after: "mkfifo p"), Case("f", "new/"),
      Case("big", "new/", after: "head -c 100000 /dev/zero >big"), Case("-T", "f", "new/"),
      Case("f", "dang/"), Case("-d", "l", "dang/"), Case("-r", "d", "dang/"),
      Case("f", "g", "new/"), Case("-b", "f", "new/"), Case("--attributes-only", "f", "new/"),
      Case("-v", "f", "nodir/x"), Case("-lv", "f", "nodir/x"), Case("-sv", "f", "nodir/x"),
      Case("-rv", "d", "nodir/x"), Case("-dv", "l", "nodir/x"), Case("-v", "f", "f/x"),
    ]
  )
  func places(twin: Case) throws { try compare(twin) }

  @Test("A source that cannot be read is reported before a missing directory (T1)", .needs(.root))
  func unreadable() throws {
    try Twin("f", "nodir/x", after: "chmod 777 .; chmod 0 f").asNobody().compare()
    try Twin("-l", "f", "nodir/x", after: "chmod 777 .; chmod 0 f").asNobody().compare()
  }

  @Test(
    "The same file, and files made a moment ago (T3, T4)",
    arguments: [
      Case("f", "f"), Case("f", "l"), Case("l", "f"), Case("-d", "l", "f"), Case("-a", "l", "f"),
      Case("f", "f2", after: "ln f f2"), Case("-a", "f", "f2", after: "ln f f2"),
      Case("f", "f", "k/", after: "mkdir k"), Case("f", "./f", "d/../f", "d"),
      Case("a/f", "b/f", "d", after: "mkdir a b; echo 1 >a/f; ln a/f b/f"),
      Case("-r", "d", "./d", "d/", "k", after: "mkdir k"),
      Case("/proc/self/mem", "b/mem", "k", after: "mkdir b k; echo 1 >b/mem; echo 2 >k/mem"),
      Case("-r", "d", "d", "k/", after: "mkdir k"), Case("-r", "d", "d/.", "k", after: "mkdir k"),
      Case("-r", "d/.", "d", "k", after: "mkdir k"), Case("-rb", "d", "d", "k", after: "mkdir k"),
      Case("-r", "d/sub", "d", "k", after: "mkdir k; echo 1 >d/sub/x"),
      Case("-r", "d", "d/sub", "k", after: "mkdir k; echo 1 >d/sub/x"),
      Case("-rL", "d", "d/.", "ld", "k", after: "mkdir k"),
      Case("-rH", "d/.", "ld", "d", "k", after: "mkdir k"),
      Case("-rl", "d/sub", "d", "k", after: "mkdir k"),
      Case("-rv", "d/.", "d/.", "k", after: "mkdir k"),
      Case("-r", "d", "d", "k", after: "mkdir k; echo 1 >k/d"),
      Case("-r", "d", "e", "d", "k", after: "mkdir k e; cp f e"),
      Case("a/f", "b/f", "c", after: "mkdir a b c; echo 1 >a/f; echo 2 >b/f"),
      Case("-r", "a/f", "b/f", "c", after: "mkdir a b c; ln -s /nowhere a/f; echo 2 >b/f"),
      Case("-r", "a/f", "b/f", "c", after: "mkdir a b c; ln -s ../g a/f; echo 2 >b/f"),
      Case("-r", "a/x", "b/x", "c", after: "mkdir -p a/x b/x c; echo 1 >a/x/f; echo 2 >b/x/g"),
      Case("-rn", "a/f", "b/f", "c", after: "mkdir a b c; ln -s ../g a/f; echo 2 >b/f"),
      Case("-r", "a/f", "b/f", "c", after: "mkdir a b c; ln -s ../d a/f; echo 2 >b/f"),
      Case("-ru", "a/f", "b/f", "c", after: "mkdir a b c; ln -s ../g a/f; touch -d 1999-1-1 b/f"),
      Case("-rf", "a/f", "b/f", "c", after: "mkdir a b c; ln -s f a/f; echo 2 >b/f"),
    ]
  )
  func sameFile(twin: Case) throws { try compare(twin) }

  @Test(
    "Kinds that do not fit (T6, T7)",
    arguments: [
      Case("d", "e"), Case("nof", "x"), Case("-r", "d", "f"), Case("-rT", "d", "l"),
      Case("f", "k", after: "mkdir k k/f"), Case("f", "dang"), Case("-a", "f", "dang"),
      Case("-r", "d", "new", after: "mkdir -p new/d; echo 1 > new/d/sub"),
      Case("-r", "d", "new", after: "mkdir -p new/d/h"),
      Case("-rv", "d", "new", after: "mkdir -p new/d/h"),
      Case("-rv", "d", "new", after: "mkdir -p new/d; ln d/h new/d/h"),
      Case("-r", "d", "new", after: "mkdir -p new/d; ln -s /tmp new/d/sub"),
    ]
  )
  func kinds(twin: Case) throws { try compare(twin) }

  @Test(
    "Links, special files and modes (T11, T12, T15, T20, T33, T34, T36)",
    arguments: [
      Case("-d", "l", "l2"), Case("-d", "l", "dang"), Case("-d", "l", "h", after: "ln -s f h"),
      Case("-r", "l", "l2"), Case("l", "l2"), Case("-r", "ld", "new"),
      Case("-r", "ld/", "new"), Case("-d", "ld/", "new"), Case("ld", "new"), Case("f", "ld"),
      Case("-a", "p", "new", after: "mkfifo p"), Case("-av", "p", "f", after: "mkfifo p"),
      Case("-av", "d", "new", after: "mkfifo d/p"),
      Case("-v", "f", "f2", "k", after: "ln f f2; mkdir k"),
      Case("-av", "f", "k", after: "ln f f2; mkdir k; ln g k/f; ln g k/other"),
      Case("-a", "q", "new", after: "mkdir q; ln f q/1; ln f q/2; ln -s a q/3; ln -P q/3 q/4"),
      Case("-r", "d", "f", "k", after: "mkdir k; chmod 4755 f; chmod 2755 d; chmod 1777 d/sub"),
      Case("-rp", "d", "f", "k", after: "mkdir k; chmod 4755 f; chmod 2755 d; chmod 1777 d/sub"),
      Case("f", "g", after: "chmod 600 g; chmod 666 f"),
      Case("-p", "f", "g", after: "chmod 600 g; chmod 666 f"), Case("f", "/dev/null"),
      Case("/dev/null", "new"),
    ]
  )
  func links(twin: Case) throws { try compare(twin) }

  @Test(
    "Errors of usage are those of cp",
    arguments: [
      Case(), Case("f"), Case("-T", "f", "g", "d"), Case("-t", "d", "-T", "f"), Case("-9"),
      Case("--foo"), Case("--foo=3"), Case("--target"), Case("-t"), Case("--recursive=3", "f", "g"),
      Case("--arch", "d", "new"), Case("--t=d", "f"), Case("-vtd", "f", "g"),
      Case("-t", "d", "-t", "d", "f"), Case("--", "-dash", "new", after: "echo 1 > -dash"),
      Case("f", "-v", "new"),
    ]
  )
  func usage(twin: Case) throws { try compare(twin) }

  @Test(
    "Names in messages (T37)",
    arguments: [
      "a b", "it's", "it's $1", "it's#", "#it's", "~it's{", "{'", "a\nb", "\u{1b}[31m", "é",
      "é's",
      "\u{2028}", "\u{85}", "a\\b", "tab\there", "\u{200b}", "日本", "'", "''", "\u{7f}",
    ],
    ["C", "C.UTF-8"]
  )
  func names(name: String, locale: String) throws {
    try compare(Case(name, "x"), locale: locale)
  }
}

/// What the command does beyond cp.
@Suite("Command")
struct CommandTests {
  @Test("Trees deeper than the descriptor limit come over (T40)", arguments: [1, 4])
  func fewDescriptors(jobs: Int) throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(
      [
        "bash", "-ec",
        "mkdir tree; cd tree; for i in {1..300}; do echo $i > f; mkdir d; cd -P d; done",
      ],
      directory: place.path
    )
    try runSuccessfully(
      [
        "bash", "-ec", "ulimit -n 32; exec \"$0\" -a --jobs \(jobs) tree copy",
        BuiltProgram.fastcp.path,
      ],
      directory: place.path
    )
    let differences = try TreeListing(of: place("tree"))
      .differences(from: TreeListing(of: place("copy")))
    #expect(differences == [])
  }

  @Test("A closed output is an error and no signal")
  func closedOutput() throws {
    let place = try TemporaryDirectory()
    try place.write([1], to: "f")
    let outcome = try run(
      ["bash", "-c", "\"$0\" -v f g >/dev/full", BuiltProgram.fastcp.path],
      directory: place.path
    )
    #expect(outcome.status == 1)
    #expect(outcome.errorText == "fastcp: write error: No space left on device\n")
  }

  @Test("In the output of --debug, the line of cp 9.11 follows the method")
  func debugLines() throws {
    let place = try TemporaryDirectory(in: "/dev/shm")
    let script = """
      echo 1 >f; truncate -s 1M s; "$0" --debug f g; "$0" --debug s t
      "$0" --debug --sparse=always s u; "$0" --debug --attributes-only f h
      "$0" --debug --sparse=never s v; "$0" --debug --reflink=never f i
      """
    let text = try runSuccessfully(
      ["bash", "-ec", script, BuiltProgram.fastcp.path],
      environment: ["LC_ALL": "C"],
      directory: place.path
    )
    let (start, end) = ("\ncopy offload:", ", reflink: no, sparse detection:")
    // As with cp, only an option avoids the copy in the kernel (coreutils, cp/sparse-perf.sh).
    for (report, line) in [
      ("'g': copied with one read and one write", " no\(end) no\n"),
      ("'t': copied without reading holes", " no\(end) SEEK_HOLE\n"),
      ("'u': copied with holes for zeros", " avoided\(end) zeros\n"),
      ("'v': copied through a buffer", " avoided\(end) no\n"),
      ("'i': copied with one read and one write", " avoided\(end) no\n"),
    ] {
      #expect(text.contains(report + start + line), "\(text)")
    }
    #expect(text.contains("'h': created without contents\ntotal: "), "\(text)")
  }

  @Test("A file beyond the allowed size is one line and leaves nothing (T41)")
  func sizeLimit() throws {
    let place = try TemporaryDirectory()
    try place.write([UInt8](repeating: 7, count: 50_000), to: "f")
    let outcome = try run(
      ["bash", "-c", "ulimit -f 8; exec \"$0\" f g", BuiltProgram.fastcp.path],
      directory: place.path
    )
    #expect(outcome.errorText == "fastcp: error writing 'g': File too large\n")
    #expect(outcome.status == 1)
    #expect(try runSuccessfully(["ls", place.path]) == "f\n")
  }

  @Test("The version and the help text go to standard output")
  func texts() throws {
    for option in ["--help", "--version"] {
      let outcome = try run([BuiltProgram.fastcp.path, option])
      #expect(outcome.succeeded)
      #expect(outcome.errors.isEmpty)
      #expect(outcome.outputText.contains("fastcp"))
    }
  }
}
