import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// A copy that is killed is continued by the next one.
@Suite("Kills of resumed copies", .ends(withinMinutes: 120))
struct ResumeKillTests {
  private static let kills = Tier.count(quick: 8, full: 1000)
  private static let jobs = 2
  /// The length of the largest file.
  private static let longest = 8_000_000

  private static let tree = """
    mkdir -p source/d/e
    for i in {1..30}; do head -c $((i * 1500)) /dev/urandom >source/d/small$i; done
    for i in 1 2 3; do head -c 8000000 /dev/urandom >source/d/e/large$i; done
    head -c 5000000 /dev/urandom >source/large; head -c 900000 /dev/urandom >source/middle
    ln source/d/small3 source/d/e/hard; ln -s x source/link; touch -d 2001-01-01 source/*/*
    """

  private static let options = [
    "-aT", "--resume", "--reflink=never", "--jobs=\(jobs)", "--json", "source", "copy",
  ]

  /// The bytes that need not be copied again: those of files under their names, and of the complete
  /// chunks of partial files.
  private func kept(in copy: TreeListing) -> Int {
    copy.entries.keys.reduce(0) { sum, path in
      guard copy.value(.kind, of: path) == "f",
        let size = copy.value(.size, of: path).flatMap({ Int($0) })
      else { return sum }
      let isHidden = path.contains("/.fastcp-")
      // Two names of one file are counted once, since the second one is a link.
      return path.hasSuffix("/hard") ? sum : sum + (isHidden ? size / 262_144 * 262_144 : size)
    }
  }

  private func copy(_ scene: Scene, killedAfter seconds: Double? = nil) throws -> Outcome {
    let killer = seconds.map { ["timeout", "--foreground", "-s", "KILL", "\($0)"] } ?? []
    return try run(
      killer + [BuiltProgram.fastcp.path] + Self.options,
      directory: scene.place.path,
      timeout: .seconds(60)
    )
  }

  @Test("After a kill only the rest is copied, and the tree is equal (F13, T51, T52)")
  func kills() throws {
    let scene = try Scene(Self.tree)
    let source = try TreeListing(of: scene.place("source"))
    let total = kept(in: source)
    let start = ContinuousClock.now
    #expect(try copy(scene).succeeded)
    let whole = (ContinuousClock.now - start) / .seconds(1)
    var random = SeededGenerator(for: "kills of resumed copies")
    for _ in 1...Self.kills {
      try scene.shell("rm -rf copy")
      // Several kills in a row continue each other.
      for _ in 1...random.number(in: 1..<4) {
        let seconds = whole * Double(random.number(in: 0..<1100)) / 1000
        _ = try copy(scene, killedAfter: seconds)
      }
      let left = try? TreeListing(of: scene.place("copy"))
      let found = left.map { kept(in: $0) } ?? 0
      let outcome = try copy(scene)
      try #require(outcome.succeeded, "\(outcome)")
      let summary = try JSONSummary(outcome)
      let bytes = try #require(summary.number("bytes"))
      let resumed = try #require(summary.number("resumed_bytes"))
      // A file whose owner or mode was set already is copied again, at most one in each job.
      try #require(bytes - resumed <= total - found + Self.jobs * Self.longest, "\(outcome)")
      let differences = try TreeListing(of: scene.place("copy")).differences(from: source)
      try #require(differences == [])
    }
  }
}
