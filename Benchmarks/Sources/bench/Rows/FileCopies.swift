import Measure

/// B15: one large file, every byte of which is copied.
enum FileCopies {
  static func rows(_ programs: Programs) -> [Row] {
    [
      warm(programs, "ext4", goal: 1.3), warm(programs, "xfs", goal: 1.6), plain(programs),
      copyItem(programs),
      cold(programs), cold(programs, untilWritten: true),
    ]
  }

  private static func warm(_ programs: Programs, _ kind: String, goal: Double) -> Row {
    Row(
      id: "B15.\(kind)",
      work: "a file of 1 GiB (quick: 128 MiB) that is in memory, no clone, \(kind)",
      rival: "cp --reflink=never",
      goal: goal,
      variation: .large
    ) { size in
      sides(warmScene(programs, kind, size))
    }
  }

  /// A file that is in memory.
  static func warmScene(_ programs: Programs, _ kind: String, _ size: Size) -> Scene {
    var scene = programs.file(megabytes: size.count(smoke: 16, quick: 128, full: 1024))
    scene.kind = kind
    return scene
  }

  /// As each program copies where nobody asks for anything: `cp` in the kernel.
  private static func plain(_ programs: Programs) -> Row {
    Row(
      id: "B15.ext4-plain",
      work: "a file of 1 GiB (quick: 128 MiB) that is in memory, without options, ext4",
      rival: "cp",
      goal: 1.0,
      variation: .large
    ) { size in
      warmScene(programs, "ext4", size).sides(.fastcp([]), .cp([]))
    }
  }

  /// Beside what a program in Swift has without us.
  private static func copyItem(_ programs: Programs) -> Row {
    Row(
      id: "B15.ext4-copyitem",
      work: "a file of 1 GiB (quick: 128 MiB) that is in memory, without options, ext4",
      rival: "FileManager.copyItem",
      goal: 1.3,
      variation: .large
    ) { size in
      warmScene(programs, "ext4", size).sides(.fastcp([]), .copyItem)
    }
  }

  private static func cold(_ programs: Programs, untilWritten: Bool = false) -> Row {
    let work = "a file of 4 GiB (quick: 128 MiB) that is not in memory, ext4 on an image on a disk"
    return Row(
      id: "B15.ext4-cold" + (untilWritten ? "-written" : ""),
      work: untilWritten ? "\(work), until the copy is on it" : work,
      rival: "cp --reflink=never",
      goal: 1.1,
      variation: .unprepared
    ) { size in
      sides(coldScene(programs, untilWritten: untilWritten, size))
    }
  }

  /// A larger file on a disk, nothing of it in memory.
  static func coldScene(_ programs: Programs, untilWritten: Bool, _ size: Size) -> Scene {
    var scene = programs.file(megabytes: size.count(smoke: 16, quick: 128, full: 4096))
    scene.gigabytes = 10
    scene.disk = programs.disk
    scene.untilWritten = untilWritten
    return scene
  }

  private static func sides(_ scene: Scene) -> Sides {
    scene.sides(.fastcp(["--reflink=never"]), .cp(["--reflink=never"]))
  }
}
