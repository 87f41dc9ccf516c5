import IOChannelsSystem

/// The recognition of a source directory that is a directory of the destination, and would contain
/// its own copy.
///
/// Each directory that the copy creates appears in such a source as well, so that the copy would
/// never end. A bind mount shows a directory with its own identity. An overlay, a FUSE or network
/// file system shows it with another one, and only a name that is created in it proves it.
struct DestinationViews: Sendable {
  private let held: HeldDirectories
  private let effects: any CopyEffects
  private let shared: SharedSource?
  private let systems: KnownFileSystems

  /// A directory of the destination whose names may appear in the source.
  struct Candidate: Sendable {
    let directory: CopyDirectory
    let held: HeldDirectories
    /// A name in the directory that the copy has met; nil if there may be none.
    var name: BytePath?
  }

  init(_ context: CopyContext, _ held: HeldDirectories, _ effects: any CopyEffects) {
    self.held = held
    self.effects = effects
    systems = context.systems
    shared = context.shared
  }

  /// Whether an open source directory is one of the directories that would contain its copy, or
  /// the topmost one of another destination.
  ///
  /// Few directories are examined: one that did not change after a directory of the destination was
  /// opened is not the same one.
  func show(_ source: BorrowedDescriptor, _ status: FileStatus, of item: CopyItem) -> Bool {
    let job = item.job
    if job.operand != nil || job.isOnPath { return false }
    let place = job.directory
    let others = shared?.openTops.filter { $0.directory.operand !== place.operand } ?? []
    if others.contains(where: { isSame($0, as: source, status) }) { return true }
    // The status of an imagined directory is that of its source.
    if place.isImagined || !DestinationViews.mayHaveChanged(status, since: place.oldestChange) {
      return false
    }
    // The first directory of a view is the topmost one, or is mounted. In the unlikely case that
    // its times hide it, the directory that was created below has the same name.
    let isMounted = status.identity.device != place.source.identity.device
    var candidate = Candidate(directory: place, held: held)
    while true {
      let directory = candidate.directory
      let isLikely = isMounted || directory.isTop || directory.destinationName == job.sourceName
      if directory.destination.identity == status.identity
        || (isLikely && isSame(candidate, as: source, status))
      {
        return true
      }
      guard !directory.isTop, let parent = directory.parent else { return false }
      candidate = Candidate(directory: parent, held: held, name: directory.destinationName)
    }
  }

  /// Whether a directory of the destination is a directory of the source that has another identity.
  private func isSame(
    _ candidate: Candidate,
    as source: BorrowedDescriptor,
    _ status: FileStatus
  ) -> Bool {
    let found = candidate.directory.destination
    guard DestinationViews.mayHaveChanged(status, since: found.changed),
      candidate.name.map({ (try? source.status(of: $0)) != nil }) ?? true
    else { return false }
    // A directory that cannot be opened any more gets no names.
    let isSame = try? candidate.held.withPair(of: candidate.directory) { (pair) throws(CopyError) in
      // These file systems show no files of others.
      let isLocal =
        systems.system(status.identity.device).kind(of: source).keepsTimes
        && candidate.directory.systems.destination.kind(of: pair.destination).keepsTimes
      return !isLocal && effects.appearsInSource(pair.destination, source)
    }
    return isSame ?? false
  }

  /// Whether a directory may have changed at a time or later. Some file systems round their times
  /// to seconds, and some have none.
  static func mayHaveChanged(_ status: FileStatus, since time: FileTime) -> Bool {
    let changed = status.changed
    if changed.seconds == 0 { return true }
    if changed.seconds != time.seconds { return changed.seconds > time.seconds }
    return changed.nanoseconds == 0 || changed.nanoseconds >= time.nanoseconds
  }
}
