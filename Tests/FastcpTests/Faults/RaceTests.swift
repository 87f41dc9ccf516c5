import TestSupport
import Testing

/// The superuser copies what somebody else changes meanwhile.
@Suite("Races with an attacker", .needs(.root), .timeLimit(.minutes(10)))
struct RaceTests {
  private static let runs = Tier.count(quick: 50, full: 1000)
  private static let files = """
    chmod 711 .; mkdir -p source/d/e
    for i in {1..32}; do head -c 3000 /dev/zero >source/d/f$i; cp source/d/f$i source/d/e; done
    head -c 200000 /dev/zero >source/d/large; cp source/d/large source/large
    """

  private static let sourcePairs = [
    "source/d", "source/evil", "source/d/e", "source/d/evil", "source/large", "source/evillarge",
  ]

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

  private func sourceScene() throws -> Scene {
    try Scene(
      Self.files + """

        mkdir -p secret/e
        for i in {1..32}; do echo SECRET >secret/f$i; cp secret/f$i secret/e; done
        head -c 200000 /dev/zero >secret/large; echo SECRET >>secret/large
        chmod 700 secret; ln -s ../secret source/evil; ln -s ../../secret/e source/d/evil
        ln -s ../secret/large source/evillarge; mkfifo source/fifo; cp source/d/f1 source/plain
        chown -hR 65534:65534 source
        """
    )
  }

  /// Whether a copy holds something of what its source does not reach.
  private func hasLeaked(_ scene: Scene) throws -> Bool {
    try scene.shell("grep -rlq SECRET copy && echo yes || :; rm -rf copy") == "yes\n"
  }

  @Test(
    "Nothing outside the source is read, whatever is swapped in it (T42, T23, T34)",
    arguments: [["-a"], ["-r", "--jobs", "1"]]
  )
  func source(options: [String]) throws {
    let scene = try sourceScene()
    let pairs = Self.sourcePairs + ["source/plain", "source/fifo"]
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
    let scene = try sourceScene()
    for _ in 1...(Self.runs + 4) / 5 {
      let outcome = try attack(
        scene,
        Self.sourcePairs,
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
    let scene = try sourceScene()
    var hasLeaked = false
    for _ in 1...3 where !hasLeaked {
      _ = try attack(scene, Self.sourcePairs, ["cp", "-a", "source", "copy"])
      hasLeaked = try self.hasLeaked(scene)
    }
    #expect(hasLeaked)
  }

  /// All that a stranger's directory could lose: content, kind, mode, owner, times.
  private static let canary = """
    find canary -printf '%p %y %m %U %G %T@ %C@ %l %n\\n' | sort
    find canary -type f | sort | xargs cat
    """
  private static let destinationPairs = [
    "copy/d", "copy/evil", "copy/d/e", "copy/d/evil", "copy/d/f1", "copy/d/evil1", "copy/d/f2",
    "copy/d/evil2",
  ]
  private static let attackedDestination = """
    rm -rf copy; mkdir -p copy/d/e; c=$PWD/canary
    ln -s $c copy/evil; ln -s $c/e copy/d/evil; ln -s $c/f1 copy/d/evil1; ln -s $c/f2 copy/d/evil2
    echo old >copy/d/f1; echo old >copy/d/f2; chown -hR 65534:65534 copy
    """

  private func destinationScene() throws -> Scene {
    try Scene(
      Self.files + """

        ln -s f1 source/d/link; mkfifo source/d/fifo; ln source/d/f3 source/d/e/hard
        chown -hR 65534:65534 source; mkdir -p canary/e
        for i in {1..16}; do echo canary >canary/f$i; done; echo canary >canary/e/f3
        echo canary >canary/large; ln -s x canary/link; chmod 750 canary; chmod 640 canary/f*
        """
    )
  }

  @Test(
    "Nothing outside the destination is written or described, whatever is swapped in it (F19, T42)",
    arguments: [["-aT"], ["-aT", "--remove-destination"], ["-aTfb"], ["-rT", "--jobs", "1"]]
  )
  func destination(options: [String]) throws {
    let scene = try destinationScene()
    let before = try scene.shell(Self.canary)
    for _ in 1...(Self.runs + 3) / 4 {
      try scene.shell(Self.attackedDestination)
      let outcome = try attack(
        scene,
        Self.destinationPairs,
        [BuiltProgram.fastcp.path] + options + ["source", "copy"]
      )
      try #require(outcome.status <= 1 && outcome.signal == 0, "\(outcome)")
      try #require(try scene.shell(Self.canary) == before, "\(outcome)")
    }
  }

  @Test("The same attack leads cp out of the destination (F19)")
  func destinationControl() throws {
    let scene = try destinationScene()
    let before = try scene.shell(Self.canary)
    var hasEscaped = false
    for _ in 1...3 where !hasEscaped {
      try scene.shell(Self.attackedDestination)
      _ = try attack(scene, Self.destinationPairs, ["cp", "-aT", "source", "copy"])
      hasEscaped = try scene.shell(Self.canary) != before
    }
    #expect(hasEscaped)
  }

  @Test("A destination that is removed again and again gives errors, the next run is whole (F19)")
  func removed() throws {
    let scene = try destinationScene()
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
