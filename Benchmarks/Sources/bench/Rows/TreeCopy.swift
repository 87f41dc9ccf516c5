import Foundation
import Measure

/// B13: a tree of small files, copied with all metadata, beside `cp -a`.
enum TreeCopy {
  static func row(kind: String, programs: String, seed: UInt64) -> Row {
    Row(
      id: "B13.\(kind)",
      work: "fastcp -a of a tree, seed \(seed), warm, fresh \(kind) each run",
      rival: "cp -a",
      goal: 3.0
    ) { size in
      let tree = Tree(
        kind: kind,
        programs: programs,
        seed: seed,
        files: size == .quick ? 20_000 : 50_000
      )
      return Sides(
        ours: { try tree.copy(with: ["\(programs)/fastcp", "-a"]) },
        // Both may clone where the file system can.
        theirs: { try tree.copy(with: ["cp", "-a"]) }
      )
    }
  }

  private struct Tree {
    let kind: String
    let programs: String
    let seed: UInt64
    let files: Int

    /// One run: a new file system, a new tree on it, the copy, the comparison.
    func copy(with command: [String]) throws -> Duration {
      let system = try FreshFileSystem(kind: kind, gigabytes: 4)
      let (source, copy) = ("\(system.path)/tree", "\(system.path)/copy")
      try run("\(programs)/treemake", "\(seed)", "\(files)", source)
      try run("sync")
      // Reading the names again makes them as warm for the first run as for the others.
      _ = try listing(of: source)
      let duration = try time(command + [source, copy])
      guard try listing(of: source) == listing(of: copy) else {
        throw CommandFailure(description: "\(command): the copy differs from its source")
      }
      return duration
    }

    /// The lines of `treelist` without the allocated space, which no copy owes.
    private func listing(of path: String) throws -> [[Substring]] {
      try output("\(programs)/treelist", path).split(separator: "\n").map { line in
        var fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        fields.remove(at: 8)
        return fields
      }
    }
  }
}
