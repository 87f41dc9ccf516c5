import Foundation
import Measure

/// B13 and B14: a tree of small files, copied with all metadata.
enum TreeCopy {
  static func rows(_ programs: Programs) -> [Row] {
    ["ext4", "xfs"].flatMap { kind in
      [
        // Both may clone where the file system can.
        warm(programs, kind, "", "cp -a", goal: kind == "ext4" ? 2.3 : 1.9, .cp(["-a"])),
        warm(programs, kind, "-rsync", "rsync -a", goal: 4.5, .rsync),
        loop(programs, kind),
        shape(programs, kind, 1),
        shape(programs, kind, 2),
      ]
    }
      // Which makes one clone after the other.
      + [warm(programs, "btrfs", "", "cp -a", goal: 1.2, .cp(["-a"]))]
      + ["ext4", "xfs"].flatMap { kind in
        [cold(programs, kind), cold(programs, kind, untilWritten: true)]
      }
  }

  /// Returns the scene of the tree, warm.
  private static func scene(_ programs: Programs, _ kind: String, _ size: Size) -> Scene {
    var scene = programs.tree(files: size.count(smoke: 200, quick: 3_000, full: 50_000))
    scene.kind = kind
    return scene
  }

  private static let work = "fastcp -a of 50,000 small files (quick: 3,000)"

  private static func warm(
    _ programs: Programs,
    _ kind: String,
    _ mark: String,
    _ rival: String,
    goal: Double,
    _ copier: Copier
  ) -> Row {
    Row(
      id: "B13.\(kind)\(mark)",
      work: "\(work), seed \(programs.seed), warm, fresh \(kind) each run",
      rival: rival,
      goal: goal
    ) { size in
      if case .rsync = copier { try need("rsync") }
      return scene(programs, kind, size).sides(.fastcp(["-a"]), copier)
    }
  }

  /// Creates the row of the bare loop, which counts while it keeps its distance from `cp -a`.
  private static func loop(_ programs: Programs, _ kind: String) -> Row {
    Row(
      id: "B13.\(kind)-loop",
      work: "\(work), seed \(programs.seed), warm, fresh \(kind) each run",
      rival: "a bare loop on two threads",
      goal: 0.97
    ) { size in
      let scene = scene(programs, kind, size)
      let rounds = try ratios(of: .loop(), beside: .cp(["-a"]), scene, size)
      guard median(rounds) >= 2.8 || size == .smoke else {
        func list(_ ratios: [Double]) -> String {
          ratios.sorted().map { String(format: "%.2f", $0) }.joined(separator: ", ")
        }
        let ours = try ratios(of: .fastcp(["-a"]), beside: .loop(), scene, size)
        let reason = "void: the loop is at \(list(rounds)) of cp -a, not at 2.8"
        throw Skipped("\(reason); ours is at \(list(ours)) of the loop")
      }
      return scene.sides(.fastcp(["-a"]), .loop())
    }
  }

  /// Returns the ratios of two copiers, measured in turn.
  private static func ratios(
    of copier: Copier,
    beside rival: Copier,
    _ scene: Scene,
    _ size: Size
  ) throws -> [Double] {
    try (0..<size.count(smoke: 1, quick: 3, full: 5)).map { round in
      var times: [Duration] = []
      for copier in round % 2 == 0 ? [rival, copier] : [copier, rival] {
        times.append(try scene.time(copier).duration)
      }
      return round % 2 == 0 ? times[0] / times[1] : times[1] / times[0]
    }
  }

  private static func shape(_ programs: Programs, _ kind: String, _ number: Int) -> Row {
    let shape = TreeShape(seed: programs.seed, number: number)
    return Row(
      id: "B13.\(kind)-shape\(number)",
      work: "fastcp -a of a drawn tree of 20,000 names (quick: 1,500), warm, fresh \(kind): "
        + "seed \(programs.seed), \(shape)",
      rival: "cp -a",
      goal: 3.0
    ) { size in
      let files = size.count(smoke: 200, quick: 1_500, full: 20_000)
      var scene = programs.tree(files: files, shape.options)
      scene.kind = kind
      // One file in 20 has a hole of some MiB, whose zeros the comparison brings into memory: they
      // must not drive out the bytes.
      if shape.hasHoles { scene.room += files * 3 / 10 }
      return scene.sides(.fastcp(["-a"]), .cp(["-a"]))
    }
  }

  private static func cold(_ programs: Programs, _ kind: String, untilWritten: Bool = false) -> Row
  {
    let work = "\(Self.work), nothing in memory, \(kind) in an image on a disk"
    return Row(
      id: "B14.\(kind)" + (untilWritten ? "-written" : ""),
      work: untilWritten ? "\(work), and until the copy is on it" : work,
      rival: "cp -a",
      goal: 2.3
    ) { size in
      coldScene(programs, kind, untilWritten: untilWritten, size)
        .sides(.fastcp(["-a"]), .cp(["-a"]))
    }
  }

  /// Returns the scene of the tree on a disk, with nothing of it in memory.
  private static func coldScene(
    _ programs: Programs,
    _ kind: String,
    untilWritten: Bool,
    _ size: Size
  ) -> Scene {
    var scene = scene(programs, kind, size)
    scene.disk = programs.disk
    scene.untilWritten = untilWritten
    return scene
  }
}
