import Measure

extension Bound {
  /// Those of the rows of the copier; what the kernel took of ours is told for all of them.
  static func copies(_ programs: Programs) -> [Bound] {
    let trees = ["ext4", "xfs"].flatMap { kind in
      [
        tree("B13.\(kind)", kind, programs),
        tree("B13.\(kind)-rsync", kind, programs),
        kernel("B13.\(kind)-shape1"), kernel("B13.\(kind)-shape2"),
      ]
    }
    let cold = [
      loop("B14.ext4-written") { TreeCopy.coldScene(programs, "ext4", untilWritten: true, $0) },
      clones("B14.xfs") { TreeCopy.coldScene(programs, "xfs", untilWritten: false, $0) },
      clones("B14.xfs-written") { TreeCopy.coldScene(programs, "xfs", untilWritten: true, $0) },
    ]
    let files = [
      buffers("B15.ext4") { FileCopies.warmScene(programs, "ext4", $0) },
      buffers("B15.xfs") { FileCopies.warmScene(programs, "xfs", $0) },
      buffers("B15.ext4-cold") { FileCopies.coldScene(programs, untilWritten: false, $0) },
      buffers("B15.ext4-cold-written") { FileCopies.coldScene(programs, untilWritten: true, $0) },
      loop("B16.small") { ShapeCopies.smallFiles(programs, $0) },
      bare("B16.sparse", [holes]) { ShapeCopies.sparseFile(programs, $0) },
    ]
    return trees + cold + files
  }

  /// A program that copies, and what it is called.
  private typealias Copying = (name: String, copier: Copier)

  private static let holes: Copying = (
    "one thread that looks for data, 256 KiB", .bare("copyways", ["holes", "262144"])
  )

  private static let readingLoop: Copying = ("a bare loop on two threads", .loop)

  private static let cloningLoop: Copying = (
    "a bare loop on two threads that clones", .bare("treeloop", ["--clone"])
  )

  /// The copier and `cp` clone where the file system can.
  private static func tree(_ id: String, _ kind: String, _ programs: Programs) -> Bound {
    let loops = kind == "xfs" ? [readingLoop, cloningLoop] : [readingLoop]
    return bare(id, loops) { TreeCopy.scene(programs, kind, $0) }
  }

  private static func loop(_ id: String, _ scene: @escaping (Size) -> Scene) -> Bound {
    bare(id, [readingLoop], scene)
  }

  private static func clones(_ id: String, _ scene: @escaping (Size) -> Scene) -> Bound {
    bare(id, [cloningLoop], scene)
  }

  private static func buffers(_ id: String, _ scene: @escaping (Size) -> Scene) -> Bound {
    let copiers: [Copying] = [
      ("one thread with one buffer of 256 KiB", .bare("copyways", ["buffer", "262144"])),
      ("a thread that reads and one that writes", .bare("copyways", ["threads", "262144"])),
    ]
    return bare(id, copiers, scene)
  }

  private static func bare(
    _ id: String,
    _ copiers: [Copying],
    _ scene: @escaping (Size) -> Scene
  ) -> Bound {
    Bound(id: id) { size in
      copiers.map { copying in
        Way(name: copying.name) {
          try scene(size).time(copying.copier).duration / .seconds(1)
        }
      }
    }
  }

  private static func kernel(_ id: String) -> Bound { Bound(id: id) { _ in [] } }
}
