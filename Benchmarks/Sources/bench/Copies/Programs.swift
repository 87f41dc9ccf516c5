/// The programs and inputs of the rows of the copier.
struct Programs: Sendable {
  /// The directory of the package's own programs.
  let directory: String
  /// The seed of the trees.
  let seed: UInt64
  /// A directory on a disk.
  let disk: String

  /// Returns a scene whose source is a tree.
  func tree(files: Int, _ options: [String] = []) -> Scene {
    var scene = Scene(programs: directory) { [directory, seed] path in
      _ = try time(["\(directory)/treemake"] + options + ["\(seed)", "\(files)", path])
    }
    // Twice 17 KiB a file, as shapes are on average.
    scene.room += files / 25
    return scene
  }

  /// Returns a scene whose source is a file of bytes that do not repeat.
  func file(megabytes: Int) -> Scene {
    var scene = Scene(programs: directory) { path in
      try RandomFile.write(path, megabytes: megabytes)
    }
    scene.isFile = true
    scene.room += 2 * megabytes
    return scene
  }
}
