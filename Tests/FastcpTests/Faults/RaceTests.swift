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

  @Test(
    "The owner of the destination gets no right in it, whatever the owner changes (T76)",
    arguments: [["-aT"], ["-aT", "--atomic"], ["-rpT", "--jobs", "1"]]
  )
  func rights(options: [String]) throws {
    let scene = try Scene(
      """
      chmod 711 .; mkdir -p source/d source/e; umask 027
      for i in {1..24}; do echo $i >source/f$i; ln source/f$i source/d/h$i; echo $i >source/e/g$i
      done; for i in {1..8}; do mkfifo source/q$i source/d/q$i; done
      chmod 640 source/* source/*/*; chmod 750 source/d source/e; chown 65534 source
      """
    )
    let change = """
      while [ -e run ]; do
        setfacl -d -m u:nobody:rwx copy; chmod g+s copy; mv -T copy/d copy/x; mv copy/f1 copy/f2
        setfacl -k copy; chmod g-s copy; echo evil >copy/new; mv copy/new copy/f3
        mv copy/q1 copy/q2; mkdir copy/mine; setfacl -m u:nobody:rwx copy/mine
        setfacl -d -m u:nobody:rwx copy/mine; mv -T copy/mine copy/e
      done
      """
    for _ in 1...Tier.count(quick: 5, full: 200) {
      try scene.shell("rm -rf copy; mkdir copy; chown 65534:65534 copy; : >run")
      let outcome = try run(
        [
          "bash", "-c",
          """
          setpriv --reuid=65534 --regid=65534 --clear-groups bash -c '\(change)' 2>/dev/null &
          timeout -s KILL 30 "$0" "$@" source copy; status=$?; rm run; wait; exit $status
          """, BuiltProgram.fastcp.path,
        ] + options,
        directory: scene.place.path
      )
      try #require(outcome.status <= 1 && outcome.signal == 0, "\(outcome)")
      // An entry of the superuser has the source's group and no list, and a directory of the
      // superuser has no entries of others. A directory that was renamed before it could be opened
      // stays empty and closed, and its list grants nothing.
      let found = try scene.shell(
        """
        found() { find copy -mindepth 1 -user 0 ! '(' -type d -empty ! -perm /077 ')' "$@"; }
        found ! -group 0; found -type d -exec find {} -mindepth 1 ! -user 0 ';'
        found ! -type l -exec getfacl -p {} + | grep -B 9 :nobody: || true
        """
      )
      try #require(found == "", "\(outcome)")
    }
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
