import IOChannelsSystem

/// Files that take the place of others whole, by being renamed over them.
extension CopySession {
  /// Makes a hidden file that will take the place of what has the name.
  ///
  /// A regular file or a symbolic link gives way.
  ///
  /// - Returns: Nil for anything else, which cannot be replaced in this way.
  func openReplacement(
    _ job: FileJob,
    source: FileStatus,
    in pair: DirectoryPair
  ) throws(CopyError) -> CopyTarget? {
    var replaced: FileStatus?
    if !job.isUnseen {
      do throws(SystemError) {
        replaced = try pair.destination.status(of: job.destinationName)
      } catch {
        if error != .noSuchFileOrDirectory {
          throw CopyError(.createFile, job.destinationPath, error)
        }
      }
    }
    if let replaced {
      if replaced.identity == source.identity {
        throw CopyError(.sameFile, job.sourcePath, other: job.destinationPath)
      }
      switch replaced.kind {
      case .regular, .symbolicLink: break
      case .directory: throw CopyError(.existingDirectory, job.destinationPath)
      default: return nil
      }
    }
    var mode = creationMode(for: source, in: job.directory)
    // No user may open the new file without a right to the old one.
    if let replaced, replaced.kind == .regular { mode = replaced.permissions & 0o707 }
    var target = try openHidden(job, mode: mode, in: pair)
    target.replaces = true
    if let replaced, replaced.kind == .regular {
      target.replaced = replaced
      // Who cannot look takes it for a file with a list.
      target.replacedHasList = mayHaveList(job.destinationName, in: pair.destination)
    }
    return target
  }

  private func mayHaveList(_ name: BytePath, in directory: BorrowedDescriptor) -> Bool {
    do throws(SystemError) {
      let handle = try directory.open(name, [.path, .noFollow])
      return try handle.borrowed.accessList() != nil
    } catch {
      return true
    }
  }

  /// Gives a new file the owner of the one whose place it takes, unless it gets that of the source.
  ///
  /// - Returns: False when it could not.
  func keepOwner(of target: borrowing CopyTarget) -> Bool {
    guard let replaced = target.replaced, !options.preserved.contains(.ownership) else {
      return true
    }
    // A file system whose files all have one owner may refuse the change.
    if let new = try? target.file.status(), new.owner == replaced.owner,
      new.group == replaced.group
    {
      return true
    }
    do throws(SystemError) {
      try target.file.setOwnerOfHandle(replaced.owner, group: replaced.group)
      return true
    } catch {
      return false
    }
  }

  /// Gives a complete file the name of what it replaces.
  ///
  /// A refusal, as that of a mount point, is an error: nothing else happens to the old file.
  func takePlace(
    _ target: inout CopyTarget,
    _ job: FileJob,
    in pair: DirectoryPair
  ) throws(SystemError) {
    let name = job.destinationName
    if case .temporary(let hidden) = target.name {
      if job.isFree {
        try rename(hidden, to: name, in: pair.destination)
      } else {
        try pair.destination.rename(hidden, to: name, replacing: true)
      }
    } else {
      let file = target.file
      var isLinked = false
      defer { target.wasLinked = isLinked }
      do throws(SystemError) {
        try pair.destination.link(file, as: name)
      } catch .fileExists {
        // A file without a name cannot replace one that has it.
        try replace(job, in: pair) { hidden throws(SystemError) in
          try pair.destination.link(file, as: hidden)
          isLinked = true
        }
      }
    }
    target.name = .final(name)
  }
}
