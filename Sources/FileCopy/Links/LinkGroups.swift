internal import IOChannelsLocks
import IOChannelsSystem

/// The names that a copy created for files with three or more names.
///
/// Another copy into the same place may link some of the names to its own file. A copy that
/// replaced one of them compares all of them after the last one. A group without replaced names is
/// removed without a comparison.
struct LinkGroups {
  /// A name in the destination.
  struct Name: Sendable {
    let directory: CopyDirectory
    let name: BytePath
    /// Whether a symbolic link with the name stands for the file that it leads to.
    var isTarget: Bool

    init(_ job: FileJob) {
      directory = job.directory
      name = job.destinationName
      isTarget = job.isTarget
    }
  }

  /// The names of one file, beginning with the one that was copied.
  struct Group: Sendable {
    var names: [Name]
    /// The copy; nil if it is unknown.
    let copy: RecordedCopy?
    /// Whether the first name had a file before the copy, which is kept.
    let keepsFirst: Bool
    /// Whether this copy replaced the file of a name.
    var isContested = false

    init(_ first: FileJob) {
      names = [Name(first)]
      copy = first.linkedFile?.copy
      keepsFirst = first.isKept
    }
  }

  /// The maximum number of names that are stored.
  ///
  /// Beyond it, a replaced name is compared with the first name only.
  let limit: Int
  private var groups: [FileIdentity: Group] = [:]
  private var count = 0

  init(limit: Int = 250_000) {
    self.limit = limit
  }

  /// Adds a name that was linked to `first`.
  ///
  /// - Returns: The names to compare now, if one of them was replaced.
  mutating func add(_ name: FileJob, to first: FileJob, isContested: Bool) -> Group? {
    guard let file = name.linkedFile else { return nil }
    var group = groups.removeValue(forKey: file.identity)
    if let group { count -= group.names.count }
    let isRemembered = file.names > 2 && (group != nil || count < limit)
    var next = group.take() ?? Group(first)
    next.names.append(Name(name))
    next.isContested = next.isContested || isContested
    if isRemembered && UInt64(next.names.count) < file.names {
      count += next.names.count
      groups[file.identity] = next
      return nil
    }
    return next.isContested ? next : nil
  }

  /// Removes the names of a file whose further names will be linked to another copy of it.
  ///
  /// - Returns: The names to compare now, if one of them was replaced.
  mutating func remove(_ file: FileIdentity) -> Group? {
    guard let group = groups.removeValue(forKey: file) else { return nil }
    count -= group.names.count
    return group.isContested ? group : nil
  }

  /// Removes all names.
  ///
  /// - Returns: The groups to compare, of which some names were not found.
  mutating func removeAll() -> [Group] {
    defer { (groups, count) = ([:], 0) }
    return groups.values.filter(\.isContested)
  }
}

/// A source file with several names.
struct LinkedFile: Sendable {
  let identity: FileIdentity
  /// The number of its names; `UInt64.max` if symbolic links to it are followed.
  let names: UInt64
  /// The copy under the name that has this value, once it exists.
  let copy = RecordedCopy()
}

/// The file that a copy created under a name, as its descriptor showed it.
///
/// Another user may have put another file in its place since, where that user may change the
/// directory.
final class RecordedCopy: Sendable {
  private let recorded = BargingLock<FileStatus?>(nil)

  /// Records a complete copy.
  func record(_ found: FileStatus) {
    recorded.withLock { $0 = found }
  }

  /// Whether a file is the copy. The number of a removed file may be that of another one by now.
  func isSame(_ found: FileStatus) -> Bool {
    recorded.withLock { $0?.identity } == found.identity && isAlike(found)
  }

  /// Whether a file has the owner, the rights and the length of the copy, so that another copy of
  /// the same source may have created it.
  func isAlike(_ found: FileStatus) -> Bool {
    guard let copy = recorded.withLock({ $0 }) else { return false }
    return (copy.owner, copy.group, copy.mode, copy.size)
      == (found.owner, found.group, found.mode, found.size)
  }
}
