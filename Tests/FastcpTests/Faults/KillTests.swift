import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// A copy that is killed leaves nothing that passes for whole, and the next one cleans up.
@Suite("Kills", .ends(withinMinutes: 120))
struct KillTests {
  private static let kills = Tier.count(quick: 8, full: 340)

  private static let tree = """
    mkdir -p source/d/e
    for i in {1..30}; do head -c $((i * 1500)) /dev/urandom >source/d/small$i; done
    for i in 1 2 3 4; do head -c 2000000 /dev/urandom >source/d/e/large$i; done
    for i in 1 2 3; do head -c 200000 /dev/urandom >source/large$i; done
    ln source/d/small3 source/d/e/hard; ln -s x source/link; touch -d 2001-01-01 source/*/*
    """

  /// Kills copies of `source` at random points and looks at what is left, in `behind` where the
  /// destination is a file system for tests.
  private func kill(
    _ scene: Scene,
    _ copy: String,
    behind: String? = nil,
    leavesHidden: Bool = false,
    for name: String
  ) throws {
    var random = SeededGenerator(for: name)
    let behind = behind ?? copy
    let source = try TreeListing(of: scene.place("source"))
    let start = ContinuousClock.now
    let first = try scene.copy("-aT", "source", copy)
    let whole = ContinuousClock.now - start
    #expect(first.succeeded, "\(first)")
    try scene.shell("rm -rf '\(behind)'")
    for _ in 1...Self.kills {
      let seconds = whole / .seconds(1) * Double(random.number(in: 0..<1100)) / 1000
      // In the foreground `timeout` survives and waits: a copy that is still ending is no ended
      // one.
      let killer = ["timeout", "--foreground", "-s", "KILL", "\(seconds)"]
      _ = try scene.copy("-aT", "source", copy, behind: killer)
      if try run(["test", "-e", behind]).succeeded {
        let left = try TreeListing(of: behind)
        let torn = left.entries.keys.filter {
          isTorn($0, left, source, allowsHidden: leavesHidden)
        }
        try #require(torn == [], "after \(seconds) s")
      }
      let again = try scene.copy("-aT", "source", copy)
      try #require(again.succeeded, "\(again)")
      let differences = try TreeListing(of: behind).differences(from: source)
      try #require(differences == [], "after \(seconds) s")
      try scene.shell("rm -rf '\(behind)'")
    }
  }

  /// Whether a file could be taken for what it is not: a large one is whole, and a small one whole
  /// or closed to others and of another time.
  private func isTorn(
    _ path: String,
    _ left: TreeListing,
    _ source: TreeListing,
    allowsHidden: Bool
  ) -> Bool {
    guard left.value(.kind, of: path) == "f" else { return false }
    guard let size = source.value(.size, of: path).flatMap({ Int($0) }) else {
      return !(allowsHidden && path.contains("/.fastcp-"))
    }
    if left.value(.content, of: path) == source.value(.content, of: path) { return false }
    return size > 64 << 10 || left.value(.mode, of: path) != "0600"
      || left.value(.time, of: path) == source.value(.time, of: path)
  }

  @Test("A kill leaves no partial large file, and the next run is complete (F13, T30)")
  func sameFileSystem() throws {
    let scene = try Scene(Self.tree)
    try kill(scene, scene.place("copy"), for: "kills on one file system")
  }

  @Test("A kill between two file systems leaves no partial file either (F13)", .needs(.root))
  func otherFileSystem() throws {
    let scene = try Scene(Self.tree)
    let other = try MemoryFileSystem(kibibytes: 65536)
    try kill(scene, "\(other.path)/copy", for: "kills between file systems")
  }

  @Test(
    "Where files need hidden names, the next run removes those that are left (F13)",
    .needs(.root, .fuse)
  )
  func hiddenNames() throws {
    let scene = try Scene(Self.tree)
    let faulty = try FaultFileSystem()
    try kill(
      scene,
      "\(faulty.path)/copy",
      behind: "\(faulty.behind)/copy",
      leavesHidden: true,
      for: "kills with hidden names"
    )
  }

  @Test("A hidden file of a living copy stays, one of a dead copy goes (F13)", .needs(.root, .fuse))
  func livingOwner() throws {
    let scene = try Scene("mkdir source; head -c 300000 /dev/urandom >source/one")
    let faulty = try FaultFileSystem(isDirect: true)
    try scene.shell("mkdir '\(faulty.behind)/copy'; cp -r source '\(faulty.behind)'")
    // One copy stands still behind its empty hidden file, another one copies into the directory.
    try faulty.setRules("read one 1 hang 1")
    let living = try ChildProcess(
      [BuiltProgram.fastcp.path, "\(faulty.path)/source/one", "\(faulty.path)/copy/first"]
    )
    try faulty.waitForUse()
    let hidden = "cd '\(faulty.behind)/copy'; ls -A | grep '^[.]fastcp-' || :"
    let name = try scene.shell(hidden)
    let foreign = try HiddenNames.name(1, of: Self.owner(elsewhere: true))
    let dead = try (2...6).map { try HiddenNames.name($0, of: Self.owner()) }
    try scene.shell(
      """
      cd '\(faulty.behind)/copy'; echo half >\(dead[0]); ln -s x \(dead[1]); mkfifo \(dead[2])
      echo mine >.fastcp-notes; mkdir \(dead[3]) \(dead[4]); echo far >\(foreign)
      echo mine >\(dead[3])/mine; mkfifo \(dead[4])/\(dead[4])
      """
    )
    #expect(try scene.copy("source/one", "\(faulty.path)/copy/second").succeeded)
    #expect(
      try scene.shell(hidden).split(separator: "\n").sorted()
        == [
          "\(dead[3])", ".fastcp-notes", "\(foreign)", String(name.split(separator: "\n")[0]),
        ].map { $0[...] }.sorted()
    )
    try faulty.setRules()
    #expect(try living.wait().succeeded)
    try scene.shell("cmp source/one '\(faulty.behind)/copy/first'")
    #expect(try scene.shell(hidden).split(separator: "\n").count == 3)
  }

  /// A process that is not there, of this machine or of another one.
  static func owner(elsewhere: Bool = false) throws -> ProcessIdentity {
    let host = try #require(ProcessIdentity.current).host
    return ProcessIdentity(host: elsewhere ? host &+ 1 : host, number: 0x7fff_fffe, start: 1)
  }

  @Test(
    "A copy through another mount of the directory leaves a living hidden file alone (F13)",
    .needs(.root, .fuse, .fileSystems)
  )
  func twoMounts() throws {
    let scene = try Scene("mkdir behind one two; head -c 300000 /dev/urandom >g")
    let faulty = try FaultFileSystem(isDirect: true)
    try scene.shell("bindfs behind one; bindfs behind two; cp g '\(faulty.behind)/f'")
    defer { _ = try? scene.shell("umount one; umount two") }
    // Each round has names of its own: a mount remembers for a while which ones there are.
    for (round, (first, second)) in zip(
      "abc",
      [("one", "two"), ("two", "behind"), ("one", "one")]
    ) {
      // The second read shows that the first bytes are in the hidden file.
      try faulty.setRules("read f 2 hang 1")
      let living = try ChildProcess(
        [BuiltProgram.fastcp.path, "\(faulty.path)/f", scene.place("\(first)/f\(round)")]
      )
      try faulty.waitForUse()
      let dead = try HiddenNames.name(1, of: Self.owner())
      try scene.shell("ls behind/.fastcp-*; echo half >behind/\(dead)")
      for options in [[], ["--atomic"]] {
        let outcome = try run(
          [BuiltProgram.fastcp.path] + options + ["g", "\(second)/g\(round)"],
          directory: scene.place.path
        )
        #expect(outcome.succeeded, "\(outcome)")
      }
      try faulty.setRules()
      let outcome = try living.wait()
      #expect(outcome.succeeded, "\(outcome)")
      try scene.shell("cmp g behind/f\(round); cmp g behind/g\(round)")
      #expect(try scene.shell("ls -A behind | grep fastcp || :").isEmpty)
    }
  }
}
