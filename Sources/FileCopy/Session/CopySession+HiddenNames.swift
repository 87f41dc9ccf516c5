import QueueRuntime
import SystemCalls

/// Whoever has a file under a hidden name has its lock, which ends with the process. So the lock
/// tells what a copy left that was killed from what another copy is working on. Links and special
/// files have no lock: they have a hidden name for a moment only, and whoever loses one makes it
/// again.
extension CopySession {
  /// How often a hidden name is made again when somebody who clears up was faster.
  private static let hiddenNameAttempts = 8

  /// Makes a file under a hidden name.
  func openHiddenName(_ job: FileJob, in pair: DirectoryPair) throws(Errno) -> CopyTarget {
    removeLeftovers(job.directory, in: pair)
    for _ in 1...CopySession.hiddenNameAttempts {
      let name = hiddenName()
      let file = try pair.destination.open(
        name,
        writing.union([.create, .exclusive, .noFollow]),
        permissions: 0o600
      )
      do throws(Errno) {
        try file.borrowed.lock()
        if try file.borrowed.status().links > 0 { return CopyTarget(file, .temporary(name)) }
      } catch {
        // Somebody met the name before it was locked, and is removing it.
        if error == .resourceTemporarilyUnavailable { continue }
        // Where files cannot be locked nobody else removes it.
        if error.meansNoLocks { return CopyTarget(file, .temporary(name)) }
        try? pair.destination.remove(name)
        throw error
      }
    }
    throw .fileExists
  }

  /// Makes a link under a hidden name and moves it over what is there.
  func replace(
    _ job: FileJob,
    in pair: DirectoryPair,
    _ make: (FilePath) throws(Errno) -> Void
  ) throws(Errno) {
    if job.isFree { throw .fileExists }
    removeLeftovers(job.directory, in: pair)
    for attempt in 1...CopySession.hiddenNameAttempts {
      let name = hiddenName()
      try make(name)
      do throws(Errno) {
        try pair.destination.rename(name, to: job.destinationName, replacing: true)
        // Two names of one file are left as they are by a rename.
        try? pair.destination.remove(name)
        return
      } catch .noSuchFileOrDirectory where attempt < CopySession.hiddenNameAttempts {
        continue
      } catch {
        try? pair.destination.remove(name)
        throw error
      }
    }
  }

  /// Removes what copies that were killed left in a directory, before this one makes the first
  /// hidden name in it. What cannot be removed stays, and hurts nobody.
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
      for entry in entries where HiddenNames.contain(entry.name) {
        // What the source has is a file like any other.
        if directory.parent == nil {
          let isOperand = hiddenOperands.withLock { names in
            names.contains { $0 == entry.name || OperandNames.isDot($0) }
          }
          if isOperand { continue }
        } else if (try? pair.source.status(of: entry.name)) != nil {
          continue
        }
        try? removeLeftover(entry.name, from: pair.destination)
      }
    }
  }

  /// Removes a hidden name unless somebody has its file's lock.
  private func removeLeftover(
    _ name: FilePath,
    from directory: BorrowedDescriptor
  ) throws(Errno) {
    let found = try directory.status(of: name)
    switch found.kind {
    case .directory, .unknown: break
    case .regular:
      let file = try directory.open(name, [.readOnly, .noFollow, .nonBlocking, .noTerminal])
      try file.borrowed.lock()
      if try file.borrowed.status().identity == directory.status(of: name).identity {
        try directory.remove(name)
      }
    default: try directory.remove(name)
    }
  }
}

extension Errno {
  /// Whether a file system cannot lock files.
  fileprivate var meansNoLocks: Bool {
    switch self {
    case .noFunction, .notSupported, .invalidArgument, .noLocks: true
    default: false
    }
  }

  /// No locks available (`ENOLCK`).
  private static let noLocks = Errno(rawValue: 37)
}
