internal import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem

/// Files that appear complete under their names: unnamed ones that are linked, or else hidden ones
/// that are renamed.
extension CopySession {
  /// Creates a file that is invisible until it is complete.
  ///
  /// - Returns: `nil` where the file system refuses it, so that the file is written in place.
  func openAtOnce(
    _ job: FileJob,
    _ mode: UInt32,
    in pair: DirectoryPair
  ) throws(CopyError) -> CopyTarget? {
    do throws(CopyError) {
      return try openHidden(job, mode: mode, in: pair)
    } catch {
      if error.error?.allowsAnotherWay ?? false { return nil }
      throw error
    }
  }

  /// Creates an unnamed file, or one with a hidden name.
  func openHidden(
    _ job: FileJob,
    mode: UInt32,
    in pair: DirectoryPair
  ) throws(CopyError) -> CopyTarget {
    let device = job.directory.destination.identity.device
    let isLinked = job.way == .linked && canNameOpenFiles
    if isLinked && places.withLock({ $0[device].links != false }) {
      do throws(SystemError) {
        return try create(".", writing.union(.unnamed), as: .unnamed, job, mode, in: pair)
      } catch {
        switch error {
        case .notSupported, .isDirectory, .invalidArgument, .noFunction:
          places.withLock { $0[device].links = false }
        default:
          if !error.allowsAnotherWay { throw CopyError(.createFile, job.destinationPath, error) }
        }
      }
    }
    return try openHiddenName(job, mode: mode, in: pair)
  }

  /// Gives a complete file its name and closes it.
  ///
  /// A file that takes the place of another one is closed before: an error that a file system
  /// reports only then leaves the other file where it is. So is one with a hidden name: some file
  /// systems keep an open file under yet another name when its name is removed.
  ///
  /// - Returns: The way to make another copy in, where the file system refuses this one.
  func publish(
    _ target: inout CopyTarget,
    _ job: FileJob,
    in pair: DirectoryPair
  ) throws(CopyError) -> AppearanceWay? {
    if case .temporary = target.name {
      try close(&target, job)
    } else if target.replaces {
      try closeCopy(of: target.file, job)
    }
    do throws(SystemError) {
      if target.replaces { try takePlace(&target, job, in: pair) }
      switch target.name {
      case .final, .kept: break
      case .unnamed:
        try pair.destination.link(target.file, as: job.destinationName)
        target.name = .final(job.destinationName)
      case .temporary(let name):
        try rename(name, to: job.destinationName, in: pair.destination, mayStay: true)
        target.name = .final(job.destinationName)
      }
    } catch {
      return try wayAfter(error, of: target, job)
    }
    try close(&target, job)
    return nil
  }

  private func close(_ target: inout CopyTarget, _ job: FileJob) throws(CopyError) {
    do throws(SystemError) {
      try target.close()
    } catch {
      throw CopyError(.close, job.destinationPath, error)
    }
  }

  /// The next way to try after a file could not get its name.
  private func wayAfter(
    _ error: SystemError,
    of target: borrowing CopyTarget,
    _ job: FileJob
  ) throws(CopyError) -> AppearanceWay {
    let isGone = error == .noSuchFileOrDirectory
    switch target.name {
    case .unnamed where error.allowsAnotherWay && (isGone || !target.wasLinked):
      if !isGone && error != .fileNameTooLong {
        places.withLock { $0[job.directory.destination.identity.device].links = false }
      }
      return .renamed
    case .temporary where error.allowsAnotherWay && (isGone || !target.replaces):
      refuseRenaming(error, job)
      return .inPlace
    case .unnamed where target.wasLinked && error.isRefusal,
      .temporary where target.replaces && error.isRefusal:
      throw CopyError(.rename, job.destinationPath, error)
    default: throw CopyError(.createFile, job.destinationPath, error)
    }
  }

  private func closeCopy(of file: BorrowedDescriptor, _ job: FileJob) throws(CopyError) {
    do throws(SystemError) {
      try file.duplicate().close()
    } catch {
      throw CopyError(.close, job.destinationPath, error)
    }
  }

  /// Moves a name to one that must be free, by a second link where the file system knows no rename
  /// that never replaces.
  ///
  /// With `mayStay` it is no failure that the old name cannot be removed behind the link.
  func rename(
    _ name: BytePath,
    to final: BytePath,
    in directory: BorrowedDescriptor,
    mayStay: Bool = false
  ) throws(SystemError) {
    do throws(SystemError) {
      return try directory.rename(name, to: final, replacing: false)
    } catch {
      if !error.allowsAnotherWay { throw error }
    }
    do throws(SystemError) {
      try directory.link(name, in: directory, as: final)
    } catch {
      if !error.allowsAnotherWay { throw error }
      return try renameWhereFree(name, to: final, in: directory)
    }
    do throws(SystemError) {
      try directory.remove(name)
    } catch {
      if !mayStay { throw error }
    }
  }

  /// Moves a name to one that is free, as far as this process knows: a file that another process
  /// creates between the look and the rename is replaced.
  private func renameWhereFree(
    _ name: BytePath,
    to final: BytePath,
    in directory: BorrowedDescriptor
  ) throws(SystemError) {
    let result = freeNames.withLock { _ in
      Result { () throws(SystemError) in
        do throws(SystemError) {
          _ = try directory.status(of: final)
        } catch .noSuchFileOrDirectory {
          return try directory.rename(name, to: final, replacing: true)
        }
        throw .fileExists
      }
    }
    try result.get()
  }
}
