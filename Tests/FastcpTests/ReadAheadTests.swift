import IOChannelsTestSupport
import Testing

/// What the copier has read from a disk before it gets there, seen from outside.
@Suite("Reading ahead", .needs(.loop), .ends(withinMinutes: 10))
struct ReadAheadTests {
  /// Copies a file of 1 GiB, to which the shell has done something, under a tracer, and tells
  /// offset and length of what was asked for.
  private func asked(
    _ place: TemporaryDirectory,
    _ prepare: String,
    _ options: [String] = []
  ) throws -> [[Int]] {
    let script = """
      head -c 1G /dev/zero >f; sync f; \(prepare)
      strace -f -o log -e trace=fadvise64 "$0" "$@" f g
      cmp f g
      sed -n 's/.*, \\([0-9]*\\), \\([0-9]*\\), POSIX_FADV_WILLNEED.* = 0$/\\1 \\2/p' log
      """
    let outcome = try run(
      ["bash", "-ec", script, BuiltProgram.fastcp.path] + options,
      environment: ["ASAN_OPTIONS": "detect_leaks=0"],
      directory: place.path
    )
    guard outcome.succeeded else { throw TestFailure("the copy failed: \(outcome)") }
    return outcome.outputText.split(separator: "\n").map { line in
      line.split(separator: " ").compactMap { Int($0) }
    }
  }

  @Test("Of a large file that is not in memory what comes next is asked for, in order")
  func cold() throws {
    let image = try LoopImage(.ext4, megabytes: 2560)
    let place = try TemporaryDirectory(in: image.path)
    let parts = try asked(place, "dd of=f oflag=nocache conv=notrunc count=0 status=none")
    // Whoever copies may be the faster one, and what is behind that one is not asked for.
    var end = 0
    for part in parts {
      #expect(part.count == 2 && part[0] >= end, "\(parts)")
      end = part.reduce(0, +)
    }
    #expect(!parts.isEmpty && end <= 1 << 30)
  }

  @Test("Cached bytes and files that bypass the cache are not prefetched")
  func otherwise() throws {
    let image = try LoopImage(.ext4, megabytes: 2560)
    let place = try TemporaryDirectory(in: image.path)
    #expect(try asked(place, "cat f >/dev/null") == [])
    let drop = "dd of=f oflag=nocache conv=notrunc count=0 status=none"
    #expect(try asked(place, drop, ["--direct=always"]) == [])
  }
}
