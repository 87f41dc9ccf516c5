import IOChannelsTestSupport
import Testing

/// `--dry-run` prints what a copy would do, and changes nothing.
@Suite("Dry runs", .ends(withinMinutes: 10))
struct DryRunTests {
  private static let prepare = """
    mkdir -p s/d/e s/none; echo 1 >s/f; echo 22 >s/d/g; ln -s f s/l; ln s/f s/d/h; mkfifo s/d/e/p
    head -c 200000 /dev/urandom >s/big; truncate -s 1M s/d/e/holes; chmod 600 s/d/g
    mkdir -p to/s/d; echo old >to/s/f; echo older >to/s/d/g; ln -s nowhere to/s/d/dangling
    setfacl -d -m u:nobody:rwx to; setfacl -d -m u:nobody:rwx to/s; touch -d @1 to/s/f
    echo x >old; ln old other
    """

  /// Calls that change something when they succeed.
  private static let changing = [
    "mkdir", "mkdirat", "mknod", "mknodat", "link", "linkat", "symlink", "symlinkat", "rename",
    "renameat", "renameat2", "unlink", "unlinkat", "rmdir", "chmod", "fchmod", "fchmodat", "chown",
    "fchown", "lchown", "fchownat", "utimensat", "utimes", "setxattr", "fsetxattr", "lsetxattr",
    "removexattr", "fremovexattr", "lremovexattr", "truncate", "ftruncate", "fallocate",
    "copy_file_range", "sendfile", "splice", "pwrite64", "pwritev", "pwritev2", "writev", "creat",
    "io_uring_setup",
  ]

  @Test(
    "Nothing is touched: no call that changes anything, and the same tree before and after",
    arguments: [
      ["-a", "s", "to"], ["-a", "s", "new"], ["-rb", "s", "to"], ["-r", "--backup=t", "s", "to"],
      ["-rf", "--remove-destination", "s", "to"], ["-rl", "s", "to"], ["-rs", "s", "new"],
      ["-ru", "s", "to"], ["-ri", "s", "to"], ["-rn", "s", "to"],
      ["-r", "--parents", "s/d/e", "to"],
      ["--attributes-only", "s/f", "to/s/f"], ["-T", "-a", "s", "to/s"],
      ["s/f", "to/s/d/dangling"],
      ["-r", "--copy-contents", "s", "to"], ["-a", "old", "other"], ["-uaf", "s/.", "to/s"],
      ["-a", "--delete", "s", "to"], ["-aT", "--delete", "--max-delete=0", "s/d", "to/s"],
    ]
  )
  func touchesNothing(arguments: [String]) throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(["bash", "-ec", DryRunTests.prepare], directory: place.path)
    let before = try TreeListing(of: place.path)
    let log = try TemporaryDirectory()
    let outcome = try run(
      ["strace", "-f", "-o", log("log"), BuiltProgram.fastcp.path, "--dry-run"] + arguments,
      directory: place.path
    )
    #expect(outcome.signal == 0)
    #expect(try TreeListing(of: place.path).differences(from: before, ignoring: []) == [])
    let lines = try runSuccessfully(["cat", log("log")]).split(separator: "\n")
    #expect(lines.count > 20)
    for line in lines {
      let call = line.drop { $0 != " " }.drop { $0 == " " }.prefix { $0 != "(" }
      #expect(!DryRunTests.changing.contains(String(call)), "\(line)")
      if call == "openat" {
        #expect(
          !["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"].contains { line.contains($0) },
          "\(line)"
        )
      }
    }
  }

  @Test(
    "A dry run prints the actions and messages of a copy",
    arguments: [
      ["-av", "s", "to"], ["-av", "s", "new"], ["-rvb", "s", "to"],
      ["-rv", "--backup=t", "s", "to"],
      ["-rv", "--remove-destination", "s", "to"], ["-rvl", "s", "to"], ["-ruv", "s", "to"],
      ["-rvn", "s", "to"], ["-rv", "--parents", "s/d/e", "to"], ["-v", "s/f", "to/s/d/dangling"],
      ["-v", "s", "to"], ["-v", "missing", "s/f", "to"], ["-rv", "s", "s/new"],
      ["-v", "s/f", "s/f"], ["-v", "s/f", "new/"],
      ["-v", "s/f", "s/big", "new"], ["-av", "s/big", "to/s"], ["-rv", "s", "to/s/f"],
      ["-rv", "--parents", "s/d", "s/f", "to"], ["-rvT", "to", "s"],
      ["-av", "--delete", "s", "to"], ["-avT", "--delete", "--max-delete=0", "s/d", "to/s"],
    ]
  )
  func sameWords(arguments: [String]) throws {
    var said: [String] = []
    for option in [["--dry-run"], []] {
      let place = try TemporaryDirectory()
      try runSuccessfully(["bash", "-ec", DryRunTests.prepare], directory: place.path)
      let outcome = try run(
        [BuiltProgram.fastcp.path, "--jobs=1"] + option + arguments,
        directory: place.path
      )
      let output = outcome.outputText.split(separator: "\n").sorted()
      said.append("\(outcome.status)\n\(output)\n\(outcome.errorLines.sorted())")
    }
    #expect(said[0] == said[1])
  }

  @Test("The summary counts what would be copied")
  func summary() throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(["bash", "-ec", DryRunTests.prepare], directory: place.path)
    var summaries: [JSONSummary] = []
    for option in [["--dry-run"], []] {
      let outcome = try run(
        [BuiltProgram.fastcp.path, "--json", "-a"] + option + ["s", "new"],
        directory: place.path
      )
      summaries.append(try JSONSummary(outcome))
    }
    for key in ["files", "directories", "symlinks", "hardlinks", "special", "bytes", "status"] {
      #expect(summaries[0].number(key) == summaries[1].number(key), "\(key)")
    }
    #expect(summaries[0].number("files") == 4)
    #expect(summaries[0].flag("dry_run") == true)
    #expect(summaries[1].flag("dry_run") == false)
  }

  @Test("The text of the summary states that nothing was copied, and has no rate")
  func summaryText() throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(["bash", "-ec", DryRunTests.prepare], directory: place.path)
    let outcome = try run(
      [BuiltProgram.fastcp.path, "--dry-run", "--stats", "-a", "s", "new"],
      directory: place.path
    )
    let lines = outcome.outputText.split(separator: "\n").suffix(2)
    #expect(lines.first?.hasPrefix("would copy 4 files, 1.2 MiB, examined in ") == true)
    #expect(lines.first?.hasSuffix(" s") == true, "\(outcome)")
    #expect(
      lines.last == "would create 4 directories, 1 symbolic link, 1 hard link, 1 special file",
      "\(outcome)"
    )
  }

  @Test("A dry run works with few descriptors")
  func fewDescriptors() throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(
      [
        "bash", "-ec",
        "mkdir s; cd s; for i in {1..100}; do mkdir d e; echo 1 >e/f; echo 2 >f; cd d; done",
      ],
      directory: place.path
    )
    let outcome = try run(
      [
        BuiltProgram.sandboxrun.path, "nofile=40", "--", BuiltProgram.fastcp.path, "--dry-run",
        "-a",
        "s", "new",
      ],
      directory: place.path
    )
    #expect(outcome.succeeded, "\(outcome)")
    #expect(outcome.outputText.split(separator: "\n").count == 401)
  }
}
