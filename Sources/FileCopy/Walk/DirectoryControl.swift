import IOChannelsSystem
import Synchronization

/// The changes of a directory of the destination that only this user can make.
///
/// New entries inherit their group and access list from the directory. A fact about that is
/// remembered only while no other user can change it. Otherwise each new entry is examined itself.
struct DirectoryControl: Equatable {
  /// Whether no other user can change the owner, the mode and the access lists.
  var isOwned: Bool
  /// Whether, in addition, no other user can create, rename or remove names.
  var isPrivate: Bool

  init(isOwned: Bool, isPrivate: Bool) {
    self.isOwned = isOwned
    self.isPrivate = isPrivate
  }

  /// Derives the control from the status of a directory, for a process of `user`.
  ///
  /// The group bits are the mask of an access list, so they cover the named users too.
  init(of found: FileStatus, for user: UInt32) {
    isOwned = found.owner == user
    isPrivate = isOwned && found.permissions & 0o022 == 0
  }
}

/// The directories that this copy has given to other users, by their owner or by their mode.
///
/// Two directories of the source may have one destination, by a followed link, a bind mount or
/// names that differ in case only. So the end of one may concern the other.
final class DirectoryReleases: Sendable {
  private let begun = Atomic<UInt64>(0)
  private let ended = Atomic<UInt64>(0)

  /// Calls a closure that gives a directory to other users.
  func release(_ body: () -> Void) {
    begun.wrappingAdd(1, ordering: .releasing)
    body()
    ended.wrappingAdd(1, ordering: .releasing)
  }

  /// The number of releases that have begun.
  var count: UInt64 { begun.load(ordering: .acquiring) }

  /// Whether the first `count` releases have ended, so that the status of a directory shows them.
  func haveEnded(_ count: UInt64) -> Bool { ended.load(ordering: .acquiring) == count }

  /// The number of releases, all of which have ended; nil if one is going on.
  var endedCount: UInt64? {
    let count = count
    return haveEnded(count) ? count : nil
  }
}

/// The control over one directory, as it was found last.
struct KnownControl: ~Copyable {
  /// The number of releases at that time, and a bit for each of the two facts.
  private let packed: Atomic<UInt64>

  /// Creates a control that was found after `releases` releases had ended, or else an unknown one.
  ///
  /// If it is unknown, the directory is examined when needed: no number of releases is as large as
  /// the first value.
  init(_ control: DirectoryControl, after releases: UInt64?) {
    packed = Atomic(releases.map { KnownControl.pack(control, $0) } ?? .max)
  }

  /// Returns the control, which is examined again after each release of a directory.
  ///
  /// The caller has created or found an entry before. If the directory is under control now, it was
  /// so then.
  func current(
    of directory: BorrowedDescriptor,
    _ releases: DirectoryReleases
  ) -> DirectoryControl {
    let (count, known) = (releases.count, packed.load(ordering: .relaxed))
    if known >> 2 == count {
      return DirectoryControl(isOwned: known & 1 != 0, isPrivate: known & 2 != 0)
    }
    let areShown = releases.haveEnded(count)
    guard let found = try? directory.status() else {
      return DirectoryControl(isOwned: false, isPrivate: false)
    }
    let control = DirectoryControl(of: found, for: ProcessLimits.effectiveUser)
    if areShown { packed.store(KnownControl.pack(control, count), ordering: .relaxed) }
    return control
  }

  /// Forgets the control of a directory that was opened again, and may be another one.
  func forget() { packed.store(.max, ordering: .relaxed) }

  private static func pack(_ control: DirectoryControl, _ releases: UInt64) -> UInt64 {
    releases << 2 | (control.isPrivate ? 2 : 0) | (control.isOwned ? 1 : 0)
  }
}
