import Measure

/// B15: one large file, every byte of which is copied.
enum FileCopies {
  static func rows(_ programs: Programs) -> [Row] {
    [
      warm(programs, "ext4", goal: 1.3), warm(programs, "xfs", goal: 1.6), plain(programs),
      copyItem(programs),
      across(programs, to: "ext4"), across(programs, to: "ext4", isBusy: true),
      across(programs, to: "xfs"), across(programs, to: "xfs", isBusy: true),
      cold(programs), cold(programs, untilWritten: true),
    ]
  }

  /// Creates a row of a copy to another file system, into memory that the host of a virtual machine
  /// has to return.
  ///
  /// It does so for each block of 2 MiB, which only large writes allocate (S178).
  private static func across(_ programs: Programs, to kind: String, isBusy: Bool = false) -> Row {
    let beside = isBusy ? ", with an endless loop for each processor" : ""
    return Row(
      id: "B15.ext4-to-\(kind)" + (isBusy ? "-busy" : ""),
      work: "a file of 1 GiB (quick: 128 MiB) that is in memory, ext4 to another \(kind), "
        + "into memory that was freed before\(beside)",
      rival: "cp",
      goal: 1.0,
      variation: .large
    ) { size in
      var scene = warmScene(programs, "ext4", size)
      scene.isAcross = true
      scene.otherKind = kind
      scene.isBusy = isBusy
      scene.secondsFree = Double(size.count(smoke: 0, quick: 3, full: 6))
      return scene.sides(.fastcp([]), .cp([]))
    }
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

  /// Returns a scene of a file that is in memory.
  private static func warmScene(_ programs: Programs, _ kind: String, _ size: Size) -> Scene {
    var scene = programs.file(megabytes: size.count(smoke: 16, quick: 128, full: 1024))
    scene.kind = kind
    return scene
  }

  /// Copies without options, which `cp` does in the kernel.
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

  /// Creates a row beside the copy of Foundation, which a program in Swift has without this
  /// package.
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

  /// Returns a scene of a larger file on a disk, with nothing of it in memory.
  private static func coldScene(_ programs: Programs, untilWritten: Bool, _ size: Size) -> Scene {
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
