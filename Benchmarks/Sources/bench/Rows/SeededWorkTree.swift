import Foundation
import Measure

/// B27: a new work tree of a git repository, with the files that git ignores.
enum SeededWorkTree {
  static func rows(_ programs: Programs) -> [Row] {
    // Clones where the file system can make them.
    [row(programs, "ext4", goal: 2), row(programs, "xfs", goal: 5)]
  }

  private static func row(_ programs: Programs, _ kind: String, goal: Double) -> Row {
    Row(
      id: "B27.\(kind)",
      work: "git worktree add and fastcp -a --git-ignored-only of 20,000 ignored files "
        + "(quick: 3,000), warm, fresh \(kind) each run",
      rival: "git worktree add and cp -a",
      goal: goal
    ) { size in
      try need("git")
      let files = size.count(smoke: 200, quick: 3_000, full: 20_000)
      let fastcp = ["\(programs.directory)/fastcp", "-a", "--git-ignored-only", "--update=none"]
      return Sides(
        ours: {
          try time(programs, kind, files) { source, copy in fastcp + ["\(source)/.", copy] }
        },
        theirs: {
          try time(programs, kind, files) { source, copy in
            ["cp", "-a", "\(source)/\(products)", copy]
          }
        }
      )
    }
  }

  /// The ignored directory.
  private static let products = "products"

  /// Performs one run: a new file system, the repository, the measured work, the comparison.
  private static func time(
    _ programs: Programs,
    _ kind: String,
    _ files: Int,
    copying command: (_ source: String, _ copy: String) -> [String]
  ) throws -> Timing {
    let scene = programs.tree(files: files)
    defer { FreeMemory.refill() }
    FreeMemory.makeRoom(megabytes: scene.room)
    let system = try FreshFileSystem(kind: kind, gigabytes: scene.gigabytes)
    let (source, copy) = ("\(system.path)/source", "\(system.path)/copy")
    let git = ["git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", "-C", source]
    try run(["git", "init", "-q", source])
    try Data("/\(products)/\n".utf8).write(to: URL(filePath: "\(source)/.gitignore"))
    try run(git + ["add", ".gitignore"])
    try run(git + ["commit", "-q", "-m", "start"])
    try scene.make("\(source)/\(products)")
    try run("sync", "-f", system.path)
    // This also brings all names into memory.
    let listing = try scene.digest(of: "\(source)/\(products)")
    FreeMemory.renewRoom(megabytes: scene.room)
    let addition = try bench.time(git + ["worktree", "add", "-q", copy])
    let timing = addition + (try bench.time(command(source, copy)))
    guard try scene.digest(of: "\(copy)/\(products)") == listing else {
      throw CommandFailure(description: "the copy on \(kind) differs from its source")
    }
    return withExtendedLifetime(system) { timing }
  }
}
