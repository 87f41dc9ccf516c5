import Foundation
import Measure

/// B13 and B14: a tree of small files, copied with all metadata.
enum TreeCopy {
  static func rows(_ programs: Programs) -> [Row] {
    ["ext4", "xfs"].flatMap { kind in
      [
        // Both may clone where the file system can.
        warm(programs, kind, "", "cp -a", goal: 3.0, .cp(["-a"])),
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

  /// The tree, warm.
  static func scene(_ programs: Programs, _ kind: String, _ size: Size) -> Scene {
    var scene = programs.tree(files: size.count(smoke: 200, quick: 3_000, full: 50_000))
    scene.kind = kind
    return scene
  }

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
      work: "fastcp -a of a tree, seed \(programs.seed), warm, fresh \(kind) each run",
      rival: rival,
      goal: goal
    ) { size in
      if case .rsync = copier { try need("rsync") }
      return scene(programs, kind, size).sides(.fastcp(["-a"]), copier)
    }
  }

  /// The bare loop counts as a rival while it keeps its distance from `cp -a`.
  private static func loop(_ programs: Programs, _ kind: String) -> Row {
    Row(
      id: "B13.\(kind)-loop",
      work: "fastcp -a of a tree, seed \(programs.seed), warm, fresh \(kind) each run",
      rival: "a bare loop on two threads",
      goal: 0.95
    ) { size in
      let scene = scene(programs, kind, size)
      let rounds = try (0..<size.count(smoke: 1, quick: 3, full: 5)).map { round in
        var times: [Duration] = []
        let copiers = [Copier.cp(["-a"]), .loop]
        for copier in round % 2 == 0 ? copiers : copiers.reversed() {
          times.append(try scene.time(copier).duration)
        }
        return round % 2 == 0 ? times[0] / times[1] : times[1] / times[0]
      }
      guard median(rounds) >= 2.8 || size == .smoke else {
        let found = rounds.sorted().map { String(format: "%.2f", $0) }.joined(separator: ", ")
        throw Skipped("void: the loop is at \(found) of cp -a, not at 2.8")
      }
      return scene.sides(.fastcp(["-a"]), .loop)
    }
  }

  private static func shape(_ programs: Programs, _ kind: String, _ number: Int) -> Row {
    let shape = TreeShape(seed: programs.seed, number: number)
    return Row(
      id: "B13.\(kind)-shape\(number)",
      work: "fastcp -a of a drawn tree, warm, fresh \(kind): seed \(programs.seed), \(shape)",
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
    let work = "fastcp -a of the same tree, nothing in memory, \(kind) on an image on a disk"
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

  /// The tree on a disk, nothing of it in memory.
  static func coldScene(
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
