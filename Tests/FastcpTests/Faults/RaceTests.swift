import IOChannelsTestSupport
import Testing

/// The superuser copies what somebody else changes meanwhile.
@Suite("Races with an attacker", .needs(.root), .ends(withinMinutes: 10))
struct RaceTests {
  private static let runs = Tier.count(quick: 50, full: 1000)

  /// Runs a program while pairs of names are swapped.
  private func attack(
    _ scene: Scene,
    _ pairs: [String],
    _ command: [String]
  ) throws -> Outcome {
    try run(
      [BuiltProgram.flip.path] + pairs + ["--", "timeout", "-s", "KILL", "30"] + command,
      directory: scene.place.path
    )
  }

  /// Whether a copy holds something of what its source does not reach.
  private func hasLeaked(_ scene: Scene) throws -> Bool {
    try scene.shell(Attack.leak) == "leaked\n"
  }

  @Test(
    "Nothing outside the source is read, whatever is swapped in it (T42, T23, T34)",
    arguments: [["-a"], ["-r", "--jobs", "1"]]
  )
  func source(options: [String]) throws {
    let scene = try Scene(Attack.source)
    let pairs = Attack.sourcePairs + ["source/plain", "source/fifo"]
    for _ in 1...(Self.runs + 1) / 2 {
      let outcome = try attack(
        scene,
        pairs,
        [BuiltProgram.fastcp.path] + options + ["source", "copy"]
      )
      try #require(outcome.status <= 1 && outcome.signal == 0, "\(outcome)")
      try #require(try !hasLeaked(scene), "\(outcome)")
    }
  }

  @Test("Few descriptors, which makes directories be opened again, read nothing outside (T40, T42)")
  func sourceWithFewDescriptors() throws {
    let scene = try Scene(Attack.source)
    for _ in 1...(Self.runs + 4) / 5 {
      let outcome = try attack(
        scene,
        Attack.sourcePairs,
        [
          BuiltProgram.sandboxrun.path, "nofile=32", "--", BuiltProgram.fastcp.path, "-a",
          "source", "copy",
        ]
      )
      try #require(outcome.status <= 1 && outcome.signal == 0, "\(outcome)")
      try #require(try !hasLeaked(scene), "\(outcome)")
    }
  }

  @Test("The same attack leads cp out of the source, so it is one (T42)")
  func control() throws {
    let scene = try Scene(Attack.source)
    var hasLeaked = false
    for _ in 1...30 where !hasLeaked {
      _ = try attack(scene, Attack.sourcePairs, ["cp", "-a", "source", "copy"])
      hasLeaked = try self.hasLeaked(scene)
    }
    #expect(hasLeaked)
  }

  @Test(
    "Nothing outside the destination is written or described, whatever is swapped in it (F19, T42)",
    arguments: [["-aT"], ["-aT", "--remove-destination"], ["-aTfb"], ["-rT", "--jobs", "1"]]
  )
  func destination(options: [String]) throws {
    let scene = try Scene(Attack.destination)
    let before = try scene.shell(Attack.canary)
    for _ in 1...(Self.runs + 3) / 4 {
      try scene.shell(Attack.attackedDestination)
      let outcome = try attack(
        scene,
        Attack.destinationPairs,
        [BuiltProgram.fastcp.path] + options + ["source", "copy"]
      )
      try #require(outcome.status <= 1 && outcome.signal == 0, "\(outcome)")
      try #require(try scene.shell(Attack.canary) == before, "\(outcome)")
    }
  }

  @Test("The same attack leads cp out of the destination (F19)")
  func destinationControl() throws {
    let scene = try Scene(Attack.destination)
    let before = try scene.shell(Attack.canary)
    var hasEscaped = false
    for _ in 1...30 where !hasEscaped {
      try scene.shell(Attack.attackedDestination)
      _ = try attack(scene, Attack.destinationPairs, ["cp", "-aT", "source", "copy"])
      hasEscaped = try scene.shell(Attack.canary) != before
    }
    #expect(hasEscaped)
  }

  @Test("A destination that is removed again and again gives errors, the next run is whole (F19)")
  func removed() throws {
    let scene = try Scene(Attack.destination)
    let copier = BuiltProgram.fastcp.path
    for _ in 1...Tier.count(quick: 5, full: 100) {
      let outcome = try run(
        [
          "bash", "-c",
          """
          : >run; (while [ -e run ]; do rm -rf copy; mkdir -p copy/d; done) 2>/dev/null &
          timeout -s KILL 30 "$0" -aT source copy; status=$?; rm run; wait; exit $status
          """, copier,
        ],
        directory: scene.place.path
      )
      try #require(outcome.status <= 1 && outcome.signal == 0, "\(outcome)")
      #expect(outcome.status == 1 || outcome.errors.isEmpty)
      try scene.shell("rm -rf copy")
      try runSuccessfully([copier, "-aT", "source", "copy"], directory: scene.place.path)
      try scene.shell("diff -r --no-dereference -x fifo source copy")
    }
  }
}
