import IOChannelsTestSupport
import Testing

/// Files of trees, which are cloned where no write has to come first.
@Suite("Clones of the files of a tree") struct CloneTests {
  /// What becomes of a file between its making and the copy.
  private enum State: String {
    /// It was written a moment ago.
    case written = ":"
    /// It is on the disk and in memory.
    case synced = "sync -f ."
    /// It is on the disk only.
    case dropped = """
      sync -f .
      for f in s/*; do dd of=$f oflag=nocache conv=notrunc count=0 status=none; done
      """
  }

  /// Copies small files of a file system.
  ///
  /// - Returns: How the files were copied, in their order.
  private func methods(on path: String, _ state: State) throws -> [String] {
    let place = try TemporaryDirectory(in: path)
    let outcome = try run(
      [
        "bash", "-ec",
        """
        mkdir s; for i in 1 2 3 4; do head -c 20000 /dev/urandom >s/$i; done
        \(state.rawValue)
        "$0" -a --jobs=1 --json s d; diff -r s d
        """,
        BuiltProgram.fastcp.path,
      ],
      directory: place.path
    )
    guard outcome.succeeded else { throw TestFailure("\(outcome)") }
    return outcome.outputText.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\"method\":\"")
      return parts.count == 2 ? parts[1].split(separator: "\"").first.map(String.init) : nil
    }
  }

  @Test(
    "Files on the disk are cloned, files that were just written are read (T25)",
    arguments: [CopyBase.xfs, .btrfs]
  )
  func clones(base: CopyBase) throws {
    try base.use { path in
      guard let path else { return }
      for state in [State.synced, .dropped] {
        #expect(try methods(on: path, state) == Array(repeating: "clone", count: 4), "\(state)")
      }
      // The first one tells whether clones can be had at all.
      let written = try methods(on: path, .written)
      #expect(written == ["clone", "one_shot", "one_shot", "one_shot"])
    }
  }

  @Test("Large clones have their names from the start, until one is refused (T25)", .needs(.btrfs))
  func largeFiles() throws {
    try CopyBase.btrfs.use { path in
      guard let path else { return }
      let place = try TemporaryDirectory(in: path)
      let outcome = try run(
        [
          "bash", "-ec",
          """
          mkdir s d; touch s/3; chattr +C s/3
          for i in 1 2 3 4; do head -c 100000 /dev/urandom >s/$i; done
          strace -f -o log "$0" --jobs=1 s/1 s/2 s/3 s/4 d; diff -r s d
          grep -c "O_TMPFILE.* = [0-9]" log; grep -c " linkat" log; grep -c unlinkat log
          grep -c FICLONE log
          """,
          BuiltProgram.fastcp.path,
        ],
        environment: ["ASAN_OPTIONS": "detect_leaks=0"],
        directory: place.path
      )
      // The first file shows that blocks can be shared. The third one does not share its own.
      #expect(outcome.outputText == "2\n2\n1\n4\n", "\(outcome)")
    }
  }

  @Test("Where no blocks are shared the first file shows that", .needs(.loop))
  func refusal() throws {
    let image = try LoopImage(.ext4, megabytes: 32)
    #expect(try methods(on: image.path, .dropped) == Array(repeating: "one_shot", count: 4))
    let place = try TemporaryDirectory(in: image.path)
    let outcome = try run(
      [
        "bash", "-ec",
        """
        mkdir s; for i in 1 2 3 4; do echo $i >s/$i; done
        strace -f -o log "$0" -r --jobs=1 s d
        grep -c FICLONE log; grep -cE "cachestat|syscall_0x1c3" log || :
        """,
        BuiltProgram.fastcp.path,
      ],
      environment: ["ASAN_OPTIONS": "detect_leaks=0"],
      directory: place.path
    )
    #expect(outcome.outputText == "1\n0\n", "\(outcome)")
  }
}
