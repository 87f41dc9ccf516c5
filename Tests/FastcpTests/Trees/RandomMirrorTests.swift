import IOChannelsTestSupport
import Testing

/// Mirrors that follow one random tree after another one, in which names change their kind.
///
/// A mirror is right if it equals its source, so that no other program is asked.
@Suite("Mirrors of random trees", .needs(.root), .ends(withinMinutes: 20))
struct RandomMirrorTests {
  /// Makes the tree `$2` from the seed `$1`, with special files that only the superuser creates if
  /// `$3` is `root`, and with directories that are not writable if not.
  private static let make = """
    RANDOM=$1; user=$3; mkdir $2; names=(a b c d e f); modes=(755 700 555 500)
    fill() {
      local name path
      for name in ${names[@]}; do
        path=$1/$name
        case $((RANDOM % 12)) in
          0 | 1) echo $RANDOM >$path; chmod 6$((RANDOM % 8))4 $path ;;
          2) head -c $((RANDOM * 9)) /dev/zero >$path ;;
          3 | 4 | 5) mkdir $path; if [ $2 -gt 0 ]; then fill $path $(($2 - 1)); fi
            chmod ${modes[RANDOM % 4]} $path ;;
          6) ln -s ${names[RANDOM % 6]} $path ;;
          7) mkfifo $path ;;
          8) if [ $user = root ]; then mknod $path c 1 $((RANDOM % 9)); fi ;;
          9) if [ $user = root ]; then mknod $path b 7 $((RANDOM % 9)); fi ;;
          10) if [ -f $1/a ] && [ ! -L $1/a ] && [ $name != a ]; then ln $1/a $path; fi ;;
        esac
      done
    }
    fill $2 2; : >$2/z; [ $user = root ] || chmod ${modes[RANDOM % 4]} $2
    """

  private static let rounds = Tier.count(quick: 8, full: 150)

  private static let options: [[String]] = [
    [], ["--resume"], ["--atomic"], ["--jobs=1"], ["--force"], ["--remove-destination"],
    ["--resume", "--verify"], ["--durable"],
  ]

  @Test(
    "Each mirror equals its next source, whatever changed its kind (T6, T13, T57)",
    arguments: MirrorTests.User.allCases,
    [false, true]
  )
  func mirrors(user: MirrorTests.User, keepsOptions: Bool) throws {
    let scene = try Scene("chmod 777 .; cp '\(BuiltProgram.fastcp.path)' fastcp; chmod 755 fastcp")
    var generator = SeededGenerator()
    for round in 0..<Self.rounds {
      let source = "s\(round)"
      try runSuccessfully(
        user.wrapper
          + ["bash", "-ec", Self.make, "make", "\(generator.number(in: 0..<32768))", source]
          + [user.rawValue],
        directory: scene.place.path
      )
      // A mirror of few kinds of options meets what the same options left.
      let options = keepsOptions ? Self.options[1] : Self.options[round % Self.options.count]
      let command =
        user.wrapper + [scene.place("fastcp"), "-aT", "--delete"] + options + [source, "to"]
      let outcome = try run(command, directory: scene.place.path)
      try #require(outcome.succeeded, "\(source) \(options) \(outcome.errorLines.prefix(5))")
      try #require(outcome.errors.isEmpty, "\(source) \(options) \(outcome.errorLines.prefix(5))")
      let differences = try scene.differences("to", source)
      try #require(differences.isEmpty, "\(source) \(options) \(differences.prefix(5))")
      let again = try run(command, directory: scene.place.path)
      try #require(again.succeeded && again.errors.isEmpty, "\(source) \(options) \(again)")
    }
  }
}
