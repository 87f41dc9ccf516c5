import QueueRuntime
import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

/// Files that have a hidden name until they are complete, and what killed copies left of them.
///
/// A hidden name tells its process. Only the names of processes that have certainly ended are
/// removed: a lock proves nothing where one directory is seen through two mounts.
extension CopySession {
  /// Creates an unforeseeable hidden name.
  func hiddenName() -> BytePath {
    let number = hiddenNumber.wrappingAdd(0x9e37_79b9_7f4a_7c15, ordering: .relaxed).newValue
    return HiddenNames.name(number, of: owner)
  }

  /// The process in the hidden names of this copy. Without `/proc` it is one that never ends.
  private var owner: ProcessIdentity {
    hiddenOwner.withLock { known in
      let owner =
        known ?? ProcessIdentity.current
        ?? ProcessIdentity(host: .random(in: .min ... .max), number: 0, start: 0)
      known = owner
      return owner
    }
  }

  /// Creates a file under a hidden name that can be changed later.
  ///
  /// An empty file shows whether the file system renames: after its bytes came, a refusal would
  /// cost a second copy of them.
  ///
  /// - Throws: ``CopyError/Problem/rename`` with the refusal of a file system that does not rename.
  func openHiddenName(
    _ job: FileJob,
    mode: UInt32,
    in pair: DirectoryPair
  ) throws(CopyError) -> CopyTarget {
    removeLeftovers(job.directory, in: pair)
    let device = job.directory.destination.identity.device
    if case .success = places.withLock({ $0[device].renaming }) {
      return try createHidden(job, mode: mode, in: pair)
    }
    // Where not even an unlinking is allowed, the file of one thread is enough.
    let result = renamings.withLock { _ in
      Result { () throws(CopyError) in try openRenamable(job, mode: mode, in: pair) }
    }
    return try result.get()
  }

  private func openRenamable(
    _ job: FileJob,
    mode: UInt32,
    in pair: DirectoryPair
  ) throws(CopyError) -> CopyTarget {
    let device = job.directory.destination.identity.device
    if case .failure(let refusal) = places.withLock({ $0[device].renaming }) {
      throw CopyError(.rename, job.destinationPath, refusal)
    }
    var target = try createHidden(job, mode: mode, in: pair)
    guard case .temporary(let name) = target.name else { return target }
    do throws(SystemError) {
      // No other process has the new name, so that a plain rename replaces nothing.
      let other = hiddenName()
      try pair.destination.rename(name, to: other, replacing: true)
      target.name = .temporary(other)
    } catch {
      discard(&target, in: pair)
      refuseRenaming(error, job)
      throw CopyError(.rename, job.destinationPath, error)
    }
    places.withLock { $0[device].renaming = .success(()) }
    return target
  }

  private func createHidden(
    _ job: FileJob,
    mode: UInt32,
    in pair: DirectoryPair
  ) throws(CopyError) -> CopyTarget {
    let name = hiddenName()
    do throws(SystemError) {
      let flags = writing.union([.create, .exclusive, .noFollow])
      return try create(name, flags, as: .temporary(name), job, mode, in: pair)
    } catch {
      throw CopyError(.createFile, job.destinationPath, error)
    }
  }

  /// Remembers that a file system refuses to rename; other errors say nothing about the next file.
  func refuseRenaming(_ error: SystemError, _ job: FileJob) {
    if error.isRefusal {
      places.withLock { $0[job.directory.destination.identity.device].renaming = .failure(error) }
    }
  }

  /// Creates a link under a hidden name and moves it over the existing file.
  func replace(
    _ job: FileJob,
    in pair: DirectoryPair,
    _ make: (BytePath) throws(SystemError) -> Void
  ) throws(SystemError) {
    if job.isFree { throw .fileExists }
    removeLeftovers(job.directory, in: pair)
    let name = hiddenName()
    try make(name)
    // Two names of one file are left as they are by a rename.
    defer { try? pair.destination.remove(name) }
    try pair.destination.rename(name, to: job.destinationName, replacing: true)
  }

  /// Removes the hidden names of killed copies from a directory, before this copy creates the first
  /// one in it. A name that cannot be removed stays, which does no harm.
  private func removeLeftovers(_ directory: CopyDirectory, in pair: DirectoryPair) {
    guard directory.takeClearing(),
      let listing = try? pair.destination.open(".", [.readOnly, .directory])
    else { return }
    var reader = DirectoryReader()
    var isAtEnd = false
    while !isAtEnd {
      var entries: [DirectoryEntry] = []
      // A directory that cannot be read on is as good as read.
      isAtEnd = ((try? reader.read(listing.borrowed, into: &entries)) ?? nil) == nil
      for entry in entries {
        guard HiddenNames.owner(of: entry.name)?.hasEnded(seenBy: owner) ?? false else { continue }
        // What the source has is a file like any other.
        if directory.parent == nil {
          let isOperand = hiddenOperands.withLock { names in
            names.contains { $0 == entry.name || OperandNames.isDot($0) }
          }
          if isOperand { continue }
        } else if (try? pair.source.status(of: entry.name)) != nil {
          continue
        }
        // It is no directory's name for the kernel.
        try? pair.destination.remove(entry.name)
      }
    }
  }
}
