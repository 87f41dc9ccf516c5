import IOChannelsTestSupport
import Testing

/// The superuser mirrors what another user changes meanwhile.
@Suite("Removals beside an attacker", .needs(.root), .ends(withinMinutes: 20))
struct RemovalRaceTests {
  private static let runs = Tier.count(quick: 10, full: 1000)

  /// A destination with entries that the source lacks, and with links to a foreign directory.
  private static let destination =
    Attack.attackedDestination + """

      mkdir -p copy/x/y/z copy/d/x
      for f in copy/{x,x/y,x/y/z,d/x}/f{1..16}; do echo o >$f; done
      ln -s $c copy/evilx; ln -s $c copy/x/evily; ln -s $c/e copy/x/y/evilz; ln -s $c copy/d/evilx
      chown -hR 65534:65534 copy
      """

  private static let pairs =
    Attack.destinationPairs + [
      "copy/x", "copy/evilx", "copy/x/y", "copy/x/evily", "copy/x/y/z", "copy/x/y/evilz",
      "copy/d/x", "copy/d/evilx",
    ]

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

  @Test(
    "Nothing outside the destination is removed, whatever is swapped in it (F19, T42, T57)",
    arguments: [["-aT"], ["-rT", "--jobs", "1"]]
  )
  func destination(options: [String]) throws {
    let scene = try Scene(Attack.destination)
    let before = try scene.shell(Attack.canary)
    var removals = 0
    for _ in 1...(Self.runs + 1) / 2 {
      try scene.shell(Self.destination)
      let outcome = try attack(
        scene,
        Self.pairs,
        [BuiltProgram.fastcp.path] + options + ["--delete", "-v", "source", "copy"]
      )
      try #require(outcome.status <= 1 && outcome.signal == 0, "\(outcome.errorText)")
      try #require(try scene.shell(Attack.canary) == before, "\(outcome)")
      removals += outcome.outputText.split(separator: "\n").count { $0.hasPrefix("removed ") }
    }
    #expect(removals > Self.runs)
  }

  @Test("The same attack leads removals by paths out of the destination (F19, T57)")
  func control() throws {
    let scene = try Scene(Attack.destination)
    let before = try scene.shell(Attack.canary)
    let remove = "for i in {1..16}; do for d in x x/y d/x; do rm -f copy/$d/f$i; done; done"
    var hasEscaped = false
    for _ in 1...30 where !hasEscaped {
      try scene.shell(Self.destination)
      _ = try attack(scene, Self.pairs, ["bash", "-c", remove])
      hasEscaped = try scene.shell(Attack.canary) != before
    }
    #expect(hasEscaped)
  }

  @Test("No entry is removed that the source has, whatever is swapped beside it (F19, T42, T57)")
  func source() throws {
    let scene = try Scene(Attack.source)
    try scene.shell(
      """
      mkdir -p source/kept/e; for i in {1..32}; do echo $i >source/kept/e/$i; done
      cp -a source model; mkdir model/d/x; : >model/gone; : >model/d/x/o
      """
    )
    // The swapped names become other kinds of files, and such names are replaced (T6).
    let swapped = "gone|d|evil|evillarge|large|plain|fifo"
    let names = "cd copy; find . | grep -vE '^./(\(swapped))(/|$)' | LC_ALL=C sort"
    try scene.shell("cp -a model copy")
    let before = try scene.shell(names)
    for _ in 1...Self.runs {
      try scene.shell("rm -rf copy; cp -a model copy")
      let outcome = try attack(
        scene,
        Attack.sourcePairs,
        [BuiltProgram.fastcp.path, "-aT", "--delete", "source", "copy"]
      )
      try #require(outcome.status <= 1 && outcome.signal == 0, "\(outcome.errorText)")
      let missing = try Set(before.split(separator: "\n"))
        .subtracting(scene.shell(names).split(separator: "\n"))
      try #require(missing.isEmpty, "\(missing)")
      try #require(try scene.shell("grep -rlq SECRET copy && echo leaked || :").isEmpty)
      try #require(try scene.shell("ls copy | grep -c gone || :") == "0\n", "\(outcome.errorText)")
    }
  }
}
