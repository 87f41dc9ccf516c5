import TestSupport
import Testing

/// Small files that are not in memory.
@Suite("Cold copies") struct ColdCopyTests {
  /// Copies small files of a file system, from memory or after they were dropped from it.
  ///
  /// - Returns: How the files were copied, in their order.
  private func methods(on path: String, drops: Bool) throws -> [String] {
    let place = try TemporaryDirectory(in: path)
    let outcome = try run(
      [
        "bash", "-ec",
        """
        mkdir s; for i in 1 2 3 4; do head -c 20000 /dev/urandom >s/$i; done; sync -f .
        if \(drops); then for f in s/*; do dd of=$f oflag=nocache conv=notrunc count=0 \\
          status=none; done; fi
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
    "What is not in memory is cloned instead of read where that can be (T25)",
    arguments: [CopyBase.xfs, .btrfs]
  )
  func clones(base: CopyBase) throws {
    try base.use { path in
      guard let path else { return }
      let cold = try methods(on: path, drops: true)
      #expect(cold == Array(repeating: "clone", count: 4))
      // The first one tells whether clones can be had at all.
      let warm = try methods(on: path, drops: false)
      #expect(warm == ["clone", "oneShot", "oneShot", "oneShot"])
    }
  }

  @Test("Where no blocks are shared the first file tells it", .needs(.loop))
  func refusal() throws {
    let image = try LoopImage(.ext4, megabytes: 32)
    #expect(try methods(on: image.path, drops: true) == Array(repeating: "oneShot", count: 4))
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
