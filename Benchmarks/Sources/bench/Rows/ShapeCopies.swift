import Foundation
import Measure

/// B16: sources that some copiers are slow on.
enum ShapeCopies {
  static func rows(_ programs: Programs) -> [Row] {
    [
      row("B16.flat", "files in one directory, 20,000 of them (quick: 2,000)", goal: 1.6) { size in
        let files = size.count(smoke: 200, quick: 2_000, full: 20_000)
        return programs.tree(files: files, ["--spread", "1000000"])
      },
      row("B16.small", "files of 1 KiB, 20,000 of them (quick: 2,000)", goal: 2.5) { size in
        let files = size.count(smoke: 200, quick: 2_000, full: 20_000)
        return programs.tree(files: files, ["--size", "1024", "--spread", "100"])
      },
      row(
        "B16.sparse",
        "an image with 2 GiB of data in 64 GiB (quick: 128 MiB in 4 GiB)",
        goal: 1.2,
        variation: .large
      ) { size in sparseFile(programs, size) },
      clone(programs, "xfs", goal: 1.2),
      clone(programs, "btrfs", goal: 1),
      row(
        "B16.devices",
        "a tree with larger files, to another ext4",
        goal: 1.5,
        variation: .large
      ) { size in
        let files = size.count(smoke: 200, quick: 2_000, full: 20_000)
        var scene = programs.tree(files: files, ["--large", "\(files / 100)"])
        scene.isAcross = true
        return scene
      },
      system(programs, "ext4", goal: 1.8),
      system(programs, "xfs", goal: 1.7),
      row(
        "B16.photos",
        "200 files of 2 to 12 MiB and ten of 100 (quick: 20 and one), to another ext4",
        goal: 1,
        variation: .large
      ) { size in photos(programs, files: size.count(smoke: 2, quick: 20, full: 200)) },
    ]
  }

  /// Creates the row of the trees that each installation has.
  private static func system(_ programs: Programs, _ kind: String, goal: Double) -> Row {
    row(
      "B16.system-\(kind)",
      "/usr/share and /usr/include (quick: the latter), from ext4 to \(kind)",
      goal: goal
    ) { size in
      let trees = size.count(smoke: 1, quick: 1, full: 2)
      var scene = Scene(programs: programs.directory) { path in
        try run("mkdir", path)
        try run(["cp", "-a", "/usr/include"] + (trees > 1 ? ["/usr/share"] : []) + [path])
      }
      (scene.isAcross, scene.otherKind) = (true, kind)
      scene.room += 1024 * trees
      return scene
    }
  }

  /// Creates the scene of a directory with files as cameras and music players have them.
  private static func photos(_ programs: Programs, files: Int) -> Scene {
    var scene = Scene(programs: programs.directory) { path in
      try run("mkdir", path)
      for number in 0..<files {
        try RandomFile.write("\(path)/\(number)", megabytes: 2 + 7 * number % 11)
        if number % 20 == 0 { try RandomFile.write("\(path)/film\(number)", megabytes: 100) }
      }
    }
    scene.isAcross = true
    scene.room += 30 * files + 400
    return scene
  }

  /// Creates the row of a file with holes.
  private static func sparseFile(_ programs: Programs, _ size: Size) -> Scene {
    let megabytes = size.count(smoke: 16, quick: 128, full: 2048)
    var scene = Scene(programs: programs.directory) { path in
      try SparseFile.make(at: path, data: megabytes << 20, length: megabytes << 25)
    }
    scene.isFile = true
    scene.room += 2 * megabytes
    scene.gigabytes = 16
    return scene
  }

  private static func clone(_ programs: Programs, _ kind: String, goal: Double) -> Row {
    row("B16.clone-\(kind)", "clones of 4,000 files of 256 KiB (quick: 800)", goal: goal) { size in
      let files = size.count(smoke: 10, quick: 800, full: 4_000)
      var scene = programs.tree(files: files, ["--size", "262144", "--spread", "100"])
      scene.kind = kind
      scene.room += files / 2
      return scene
    }
  }

  private static func row(
    _ id: String,
    _ work: String,
    goal: Double,
    variation: Variation = .usual,
    _ scene: @escaping @Sendable (Size) throws -> Scene
  ) -> Row {
    Row(
      id: id,
      work: "fastcp -a: \(work), warm",
      rival: "cp -a",
      goal: goal,
      variation: variation
    ) { size in
      try scene(size).sides(.fastcp(["-a"]), .cp(["-a"]))
    }
  }
}

/// A file with holes, as images of virtual machines have them.
private enum SparseFile {
  /// Makes a file with pieces of data from 16 KiB to 1 MiB, evenly spread, always the same.
  static func make(at path: String, data: Int, length: Int) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0, ftruncate(file, off_t(length)) == 0 else {
      throw CommandFailure(description: "\(path): error \(errno)")
    }
    defer { close(file) }
    var places = Places(below: 1 << 30)
    let bytes = (0..<(1 << 20)).map { _ in UInt8(truncatingIfNeeded: places.next()) }
    var written = 0
    while written < data {
      let count = min((16 << 10) << (places.next() % 7), data - written)
      let place = written * (length / data)
      guard pwrite(file, bytes, count, off_t(place & ~4095)) == count else {
        throw CommandFailure(description: "\(path): error \(errno)")
      }
      written += count
    }
  }
}
