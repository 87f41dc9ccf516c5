import IOChannelsTestSupport
import Testing

/// A file is copied onto itself by all its names with all options: as with cp.
@Suite("One file by two names")
struct SameFileTests {
  /// Runs every pair of names with every set of options, each in a place of its own; one file in
  /// all places holds what was told.
  private static let script = """
    mkdir fresh; cd fresh; printf x >f; ln f hard; ln -s f soft; ln -s f soft2; ln -s soft far
    cd ..; for o in $OPTIONS; do for pair in $PAIRS; do
      n="case $o ${pair//\\//:}"; cp -a fresh "$n"; cd "$n" || exit 1
      (exec -a cp "$0" ${o//,/ } ${pair//,/ }) >told 2>&1 </dev/null; echo $? >>told; cd ..
    done; done
    find . -mindepth 2 -printf '%h\\t%f %y %n %s %l\\n' | sort
    grep -rH '' --include=told . | sed 's,/told:,\\t,'
    """

  private func sets(_ groups: [[String]]) -> [String] {
    groups.reduce([""]) { sets, group in
      sets.flatMap { set in group.map { $0.isEmpty ? set : "\(set),\($0)" } }
    }
    .map { $0.isEmpty ? "--" : String($0.dropFirst()) }
  }

  /// What happened in each place.
  private func outcomes(of program: String, _ options: [String], _ pairs: [String]) throws
    -> [String: [String]]
  {
    let place = try TemporaryDirectory(in: "/dev/shm")
    let text = try runSuccessfully(
      ["bash", "-c", SameFileTests.script, program],
      environment: [
        "OPTIONS": options.joined(separator: " "), "PAIRS": pairs.joined(separator: " "),
        "LC_ALL": "C",
      ],
      directory: place.path,
      timeout: .seconds(300)
    )
    var outcomes: [String: [String]] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 1).map { String($0) }
      if parts.count == 2, !parts[1].hasPrefix("told f") {
        outcomes[parts[0], default: []].append(parts[1])
      }
    }
    return outcomes
  }

  @Test("Status, message and tree are the same for all pairs and options (T3)")
  func matrix() throws {
    let isFull = Tier.current == .full
    let pairs =
      ["f,f", "f,hard", "f,soft", "soft,f", "soft,soft2", "soft,soft", "far,soft", "soft,far"]
      + (isFull ? ["hard,soft", "soft,hard", "far,f", "f,far", "./f,f"] : [])
    let options = sets([
      isFull ? ["", "-b"] : [""], ["", "-f"], isFull ? ["", "-d", "-P", "-L", "-H"] : ["", "-d"],
      ["", "-l", "-s"],
      isFull ? ["", "--remove-destination"] : ["", "-b", "--remove-destination"],
    ])
    let theirs = try outcomes(of: "/usr/bin/cp", options, pairs)
    let ours = try outcomes(of: BuiltProgram.fastcp.path, options, pairs)
    // The place of the files that all others are copies of is one more.
    #expect(theirs.count == pairs.count * options.count + 1)
    let differences = theirs.keys.sorted().filter { theirs[$0] != ours[$0] }
      .map { "\($0): cp \(theirs[$0] ?? []), here \(ours[$0] ?? [])" }
    #expect(differences.prefix(8) == [], "\(differences.count) in all")
  }
}
