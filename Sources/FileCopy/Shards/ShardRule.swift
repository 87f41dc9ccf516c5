import IOChannelsSystem

/// The choice of the part that copies a file, the same on every machine.
struct ShardRule: Sendable, Hashable {
  let index: Int
  let count: Int
  /// Whether symbolic links are followed, and may be further names of each file, whose copies are
  /// hard links.
  private let mayJoinNames: Bool

  /// Creates the rule of a part; nil for the step after all parts.
  init?(_ shard: CopyShard?, mayJoinNames: Bool = false) {
    guard case .part(let index, let count)? = shard else { return nil }
    self.index = index
    self.count = count
    self.mayJoinNames = mayJoinNames
  }

  /// Creates the rule that options request; nil if they request no part.
  init?(for options: CopyOptions) {
    let follows = options.tree.following != .nothing
    let mayJoinNames = follows && options.metadata.preserved.contains(.links)
    self.init(options.shard, mayJoinNames: mayJoinNames)
  }

  /// Whether a file with a path below the destination belongs to the part.
  ///
  /// Several names of one file belong to one part, by its inode number.
  func includes(path: BytePath, _ status: FileStatus) -> Bool {
    status.links > 1 || mayJoinNames
      ? includes(inode: status.identity.inode) : includes(path: path)
  }

  /// Whether a file with one name belongs to the part.
  func includes(path: BytePath) -> Bool { includes(hashOf: Array(path.bytes)) }

  /// Whether a file with several names belongs to the part.
  func includes(inode: UInt64) -> Bool {
    includes(hashOf: (0..<8).map { UInt8(truncatingIfNeeded: inode >> (8 * UInt64($0))) })
  }

  /// Whether the part has the hash of some bytes. The hashes are divided into ranges of the same
  /// length.
  private func includes(hashOf bytes: [UInt8]) -> Bool {
    ContentSum.hash(bytes).multipliedFullWidth(by: UInt64(count)).high == UInt64(index)
  }

  /// Whether a file belongs to the part.
  ///
  /// If its status cannot be read, the part of its path reports that.
  ///
  /// - Throws: ``CopyProblem/partReport`` if the copy of the file would pass for a report.
  func includes(_ item: CopyItem) throws(CopyError) -> Bool {
    let path = item.pathInCopy
    do throws(CopyError) {
      guard try includes(path: path, item.sourceStatus()) else { return false }
    } catch {
      if includes(path: path) { throw error }
      return false
    }
    try ShardReports.refuseReport(at: path, item.destinationPath)
    return true
  }
}
