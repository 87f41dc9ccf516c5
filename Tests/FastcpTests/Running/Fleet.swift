import IOChannelsTestSupport
import Testing

/// A tree, and a launcher that starts the parts of its copy.
///
/// The program `part` in its directory copies one part. The first attempt of the part with the
/// largest file is killed in the middle of this file.
struct Fleet {
  let scene: Scene
  /// The directory of the tree and its copy.
  private let behind: String

  private static let tree = """
    mkdir -p s/a/b s/c; cd s
    for i in {1..200}; do echo $i >a/$i; head -c 20000 /dev/urandom >a/b/$i; done
    for i in {1..50}; do ln a/$i c/$i; done; head -c 30000000 /dev/urandom >huge
    chmod 750 a; find . -exec touch -d 2001-02-03 {} +
    """

  private static func part(_ source: String, _ target: String) -> String {
    """
    #!/bin/bash
    cd "${0%/*}"
    copy() { exec '\(BuiltProgram.fastcp.path)' -aT --resume "$@" \(source) \(target); }
    if (copy "$@" --dry-run 2>/dev/null | grep -q huge) && mkdir killed 2>/dev/null; then
      copy "$@" --reflink=never --bwlimit=4M & child=$!
      until [ -n "$(find \(target) -name '.fastcp-*' -size +1M 2>/dev/null)" ]; do sleep 0.01; done
      kill -9 $child; wait $child; exit
    fi
    copy "$@"
    """
  }

  /// Creates a tree, and the program that copies a part of it.
  ///
  /// - Parameters:
  ///   - behind: The directory of the tree and its copy.
  ///   - source: The tree, as the parts see it.
  ///   - target: The copy, as the parts see it.
  /// - Throws: ``TestFailure`` if they cannot be created.
  init(behind: String = ".", source: String = "s", target: String = "t") throws {
    self.behind = behind
    scene = try Scene("mkdir -p '\(behind)'; cd '\(behind)'; \(Self.tree)")
    try scene.place.write(Array(Self.part(source, target).utf8), to: "part")
    try scene.shell("chmod +x part")
  }

  /// The reaction of a launcher to a part that was killed.
  enum Reaction {
    /// The launcher fails, and is started again.
    case fails
    /// The launcher starts the part again.
    case retries
  }

  /// Launches the parts by a command, and completes the copy, in namespaces of their own.
  ///
  /// - Parameters:
  ///   - launch: The command, in which `$part` is the program.
  ///   - reaction: The reaction of the launcher to the part that is killed.
  ///   - start: The commands that prepare the launcher. They may replace the function `last`.
  ///   - finish: The command of the last step.
  /// - Throws: ``TestFailure`` if a step does not end as it should.
  func copy(
    by launch: String,
    _ reaction: Reaction,
    after start: String = FleetNetwork.network,
    finish: String = "last"
  ) throws {
    let failure = """
      if launch; then echo 'the launcher did not fail' >&2; exit 1; fi
      if early=$(last 2>&1); then echo 'the last step did not fail' >&2; exit 1; fi
      [[ $early == *' reported in '* ]] || { echo "$early" >&2; exit 1; }
      """
    let script = """
      set -eu
      part=$PWD/part
      export HOME=$PWD PATH=$PATH:/usr/sbin:/sbin
      trap '[ $? = 0 ] || tail -qn 20 *.log >&2' EXIT
      last() { $part --shard=finish; }
      \(start)
      launch() {
      \(launch)
      }
      \(reaction == .fails ? failure : "")
      launch
      [ -d killed ]
      \(finish)
      """
    try runSuccessfully(
      FleetNetwork.namespaces + ["bash", "-c", script],
      directory: scene.place.path,
      timeout: .seconds(240)
    )
  }

  /// Compares the copy with the tree, and checks that nothing else is left.
  func check() throws {
    let (source, target) = ("\(behind)/s", "\(behind)/t")
    #expect(try scene.differences(source, target) == [])
    #expect(try scene.shell("find '\(target)' -name '.fastcp-*'") == "")
    try scene.shell("for i in {1..50}; do [ \(target)/a/$i -ef \(target)/c/$i ]; done")
  }
}
