import TestSupport
import Testing

/// Files larger than one write where blocks are shared.
@Suite("Clones of large files") struct LargeCloneTests {
  /// Copies a directory of files under strace.
  ///
  /// - Returns: The methods in their order, and how many files were made without a name.
  private func copy(
    in place: TemporaryDirectory,
    _ options: String = "",
    prepare: String = ":"
  ) throws -> (methods: [String], unnamed: Int) {
    let outcome = try run(
      [
        "bash", "-ec",
        """
        mkdir s; \(prepare)
        for i in 1 2 3; do head -c 200000 /dev/urandom >s/$i; done; sync -f .
        strace -f -e trace=openat -o log "$0" -a --jobs=1 --json \(options) s d
        diff -r s d; stat -c %a d/1
        grep -c O_TMPFILE log || :
        """,
        BuiltProgram.fastcp.path,
      ],
      environment: ["ASAN_OPTIONS": "detect_leaks=0"],
      directory: place.path
    )
    guard outcome.succeeded else { throw TestFailure("\(outcome)") }
    let lines = outcome.outputText.split(separator: "\n")
    let methods = lines.compactMap { line in
      let parts = line.split(separator: "\"method\":\"")
      return parts.count == 2 ? parts[1].split(separator: "\"").first.map(String.init) : nil
    }
    return (methods, lines.last.flatMap { Int($0) } ?? -1)
  }

  @Test(
    "After the first a clone has its name from the start (T25)",
    arguments: [CopyBase.xfs, .btrfs]
  )
  func inPlace(base: CopyBase) throws {
    try base.use { path in
      guard let path else { return }
      let three = Array(repeating: "clone", count: 3)
      let usual = try copy(in: TemporaryDirectory(in: path))
      #expect(usual.methods == three)
      #expect(usual.unnamed == 1)
      // What is verified or is to appear whole gets its name at the end.
      for option in ["--verify", "--atomic"] {
        let late = try copy(in: TemporaryDirectory(in: path), option)
        #expect(late.methods == three, "\(option)")
        #expect(late.unnamed == 3, "\(option)")
      }
    }
  }

  @Test("What cannot be cloned after all is copied under no name")
  func refused() throws {
    try CopyBase.btrfs.use { path in
      guard let path else { return }
      let place = try TemporaryDirectory(in: path)
      // Blocks with sums and such without are never shared.
      let mixed = try copy(in: place, prepare: "touch s/1 s/2; chattr +C s/2")
      #expect(mixed.methods == ["clone", "stream", "clone"])
      #expect(mixed.unnamed == 2)
    }
  }
}
