import Foundation
import Measure

/// B26: a tree that is copied again.
enum RepeatedCopies {
  /// The difference between a copy and its source when the measured copy begins.
  private enum Change: String {
    case nothing
    case changed
    case extra

    /// The goal beside `rsync`.
    var goal: Double {
      switch self {
      case .extra: 1
      case .changed: 3
      default: 4
      }
    }

    var description: String {
      switch self {
      case .nothing: "nothing is different"
      case .changed: "1 of 100 files is different"
      case .extra: "1 of 100 names is to be deleted"
      }
    }

    /// The options of both copiers.
    var options: [String] { self == .extra ? ["--delete"] : [] }

    /// A script that makes the difference in the copy, since the listing of the source is taken.
    var script: String? {
      let chosen = "find \"$0\" -type f -print0 | sed -z -n '0~100p' | xargs -0 -r sh -c "
      return switch self {
      case .nothing: nil
      case .changed: chosen + "'for name; do echo x >>\"$name\"; done' sh"
      case .extra: chosen + "'for name; do cp -- \"$name\" \"$name.extra\"; done' sh"
      }
    }
  }

  static func rows(_ programs: Programs) -> [Row] {
    ["ext4", "xfs"].flatMap { kind in
      [.nothing, .changed, .extra].map { row(programs, kind, $0) }
        + [row(programs, kind, .nothing, isCold: true)]
    }
  }

  private static func row(
    _ programs: Programs,
    _ kind: String,
    _ change: Change,
    isCold: Bool = false
  ) -> Row {
    let place = isCold ? "nothing in memory, \(kind) in an image on a disk" : "warm, \(kind)"
    return Row(
      id: "B26.\(kind)-\(isCold ? "cold" : change.rawValue)",
      work: "fastcp -aT --resume of 50,000 small files (quick: 3,000) over their copy, "
        + "\(change.description), \(place)",
      rival: "rsync -a",
      // The disk decides, so that there is no goal.
      goal: isCold ? 0 : change.goal
    ) { size in
      try need("rsync")
      var scene = programs.tree(files: size.count(smoke: 200, quick: 3_000, full: 50_000))
      scene.kind = kind
      if isCold { scene.disk = programs.disk }
      let fastcp = ["\(programs.directory)/fastcp", "-aT", "--resume"]
      return Sides(
        ours: { try time(fastcp, change, scene) { source, copy in [source, copy] } },
        // With the slash it copies what is in a directory, not the directory.
        theirs: {
          try time(["rsync", "-a"], change, scene) { source, copy in [source + "/", copy] }
        }
      )
    }
  }

  /// Copies a tree, makes the difference, and times the second copy.
  private static func time(
    _ program: [String],
    _ change: Change,
    _ scene: Scene,
    operands: (_ source: String, _ copy: String) -> [String]
  ) throws -> Timing {
    try scene.measure { source, copy in
      let operands = operands(source, copy)
      try run(program + operands)
      if let script = change.script { try run("sh", "-c", script, copy) }
      try run("sync", "-f", copy)
      if let disk = scene.disk { try dropCaches(afterWriting: disk) }
      return try bench.time(program + change.options + operands)
    }
  }
}
