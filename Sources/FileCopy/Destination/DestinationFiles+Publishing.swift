import IOChannelsSystem

/// Files that appear complete under their names: unnamed files that are linked, or else files with
/// a hidden name that are renamed.
extension DestinationFiles {
  /// Creates a file that is invisible until it is complete.
  ///
  /// - Returns: Nil where the file system refuses, so that the file must be written in place.
  func openAtOnce(_ item: CopyItem, _ mode: UInt32) throws(CopyError) -> DestinationFile? {
    do throws(CopyError) {
      return try openInvisible(item, mode: mode)
    } catch {
      if error.error?.allowsAnotherWay ?? false { return nil }
      throw error
    }
  }

  /// Creates an unnamed file, or one with a hidden name.
  func openInvisible(_ item: CopyItem, mode: UInt32) throws(CopyError) -> DestinationFile {
    let system = item.destinationSystem
    let isLinked = item.job.way <= .linked && canLinkUnnamedFiles && keepsLinks(on: system.device)
    if isLinked && system.withAnswers({ $0.links }) != false {
      do throws(SystemError) {
        return try creator.create(.unnamed, item, mode)
      } catch {
        switch error {
        case .notSupported, .isDirectory, .invalidArgument, .noFunction:
          system.withAnswers { $0.links = false }
        default:
          if !error.allowsAnotherWay { throw CopyError(.createFile, item.destinationPath, error) }
        }
      }
    }
    return try hidden.create(item, mode: mode)
  }

  /// Whether a new link outlasts a loss of power, or need not.
  private func keepsLinks(on device: UInt64) -> Bool {
    guard options.durability == .everyFile else { return true }
    return context.fileSystems?[device]?.flushesAll ?? true
  }

  /// Gives a complete file its name and closes it.
  ///
  /// A file that replaces another one is closed first: if the file system reports an error only
  /// then, the other file stays. A file with a hidden name is closed first, too: some file systems
  /// keep an open file under yet another name when its name is removed.
  ///
  /// - Returns: The way to copy the file again, if the file system refuses this one.
  func publish(
    _ target: inout DestinationFile,
    _ item: CopyItem
  ) throws(CopyError) -> AppearanceWay? {
    if case .temporary = target.name {
      try attempt(.close, item.destinationPath, try target.close())
    } else if target.replaces {
      try attempt(.close, item.destinationPath, try target.file.duplicate().close())
    }
    do throws(SystemError) {
      if target.replaces { try takePlace(&target, item) }
      switch target.name {
      case .final, .kept: break
      case .unnamed:
        try link(target.file, item)
        target.name = .final
      case .temporary(let temporary):
        let name = item.job.destinationName
        try hidden.rename(temporary, to: name, in: item.pair.destination, mayStay: true)
        target.name = .final
      }
    } catch {
      return try wayAfter(error, of: target, item)
    }
    try attempt(.close, item.destinationPath, try target.close())
    return nil
  }

  /// Links a complete unnamed file to its name, and makes watchers of the directory notice it.
  ///
  /// A link alone is a mere creation to them. They wait for the end of the writing
  /// (`IN_CLOSE_WRITE`), so the name is opened for writing and closed once. A user who may not
  /// write to the file links it to a hidden name that is renamed (`IN_MOVED_TO`).
  ///
  /// - Throws: `EEXIST` if a file has the name.
  func link(_ file: BorrowedDescriptor, _ item: CopyItem) throws(SystemError) {
    let (name, directory) = (item.job.destinationName, item.pair.destination)
    if !mayReopen(file) { return try hidden.link(file, item) }
    try directory.link(file, as: name)
    // The file is complete, so that a refusal is no failure.
    try? directory.open(name, [.writeOnly, .noFollow, .nonBlocking, .noTerminal]).close()
  }

  /// Whether this process can probably open its new file for writing.
  func mayReopen(_ file: BorrowedDescriptor) -> Bool {
    if ignoresPermissions { return true }
    guard let status = try? file.status() else { return true }
    // The owner of a copy may have been changed to that of its source.
    return status.permissions & 0o200 != 0 && status.owner == ProcessLimits.effectiveUser
  }

  /// Returns the next way to try after a file could not get its name.
  ///
  /// It comes after the way of the item, so that the attempts end whatever the file system answers.
  private func wayAfter(
    _ error: SystemError,
    of target: borrowing DestinationFile,
    _ item: CopyItem
  ) throws(CopyError) -> AppearanceWay {
    let isGone = error == .noSuchFileOrDirectory
    let way = item.job.way
    switch target.name {
    case .unnamed
    where way <= .linked && error.allowsAnotherWay && (isGone || !target.wasLinked):
      hidden.tryLink(item)
      return .renamed
    case .temporary
    where way < .inPlace && error.allowsAnotherWay && (isGone || !target.replaces):
      return .inPlace
    case .unnamed where target.wasLinked && error.isRefusal,
      .temporary where target.replaces && error.isRefusal:
      throw CopyError(.rename, item.destinationPath, error)
    default: throw CopyError(.createFile, item.destinationPath, error)
    }
  }
}
