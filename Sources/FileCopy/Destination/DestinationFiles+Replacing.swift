import IOChannelsSystem

/// Complete files that are renamed over the existing ones.
extension DestinationFiles {
  /// Creates a hidden file that will replace the existing regular file or symbolic link.
  ///
  /// - Returns: Nil if the existing file is of another kind, which cannot be replaced in this way.
  func openReplacement(
    _ item: CopyItem,
    for source: FileStatus
  ) throws(CopyError) -> DestinationFile? {
    let replaced = item.job.isUnseen ? nil : try statusToReplace(item)
    if let replaced {
      if replaced.identity == source.identity {
        throw CopyError(.sameFile, item.sourcePath, other: item.destinationPath)
      }
      switch replaced.kind {
      case .regular, .symbolicLink: break
      case .directory: throw item.existingDirectoryError
      default: return nil
      }
    }
    var mode = context.modes.creationMode(for: source, in: item.directory)
    // No user may open the new file without a right to the old one.
    if let replaced, replaced.kind == .regular { mode &= replaced.permissions & 0o707 }
    var target: DestinationFile
    if PartialFile.isUsed(for: source, options) {
      target = try openPartial(item, mode: mode)
    } else {
      target = try openInvisible(item, mode: mode)
    }
    target.replaces = true
    if let replaced, replaced.kind == .regular {
      target.replaced = DestinationFile.Replaced(
        replaced,
        hasList: mayHaveList(item.job.destinationName, in: item.pair.destination)
      )
    }
    return target
  }

  private func statusToReplace(_ item: CopyItem) throws(CopyError) -> FileStatus? {
    do throws(SystemError) {
      return try item.pair.destination.status(of: item.job.destinationName)
    } catch .noSuchFileOrDirectory {
      return nil
    } catch {
      throw CopyError(.createFile, item.destinationPath, error)
    }
  }

  /// Whether a file has an access list, or its list cannot be read.
  private func mayHaveList(_ name: BytePath, in directory: BorrowedDescriptor) -> Bool {
    guard let handle = try? directory.open(name, [.path, .noFollow]) else { return true }
    return !handle.borrowed.hasNoAccessList
  }

  /// Gives a complete file the name of the file that it replaces.
  ///
  /// A refusal, as that of a mount point, is an error. The old file is not touched otherwise.
  func takePlace(_ target: inout DestinationFile, _ item: CopyItem) throws(SystemError) {
    let (name, directory) = (item.job.destinationName, item.pair.destination)
    if case .temporary(let temporary) = target.name {
      if item.job.isFree {
        try hidden.rename(temporary, to: name, in: directory)
      } else {
        try directory.rename(temporary, to: name, replacing: true)
      }
    } else if item.job.isFree || mayReopen(target.file) {
      do throws(SystemError) {
        try link(target.file, item)
      } catch .fileExists {
        // An unnamed file cannot replace one that has the name.
        try replaceByLink(&target, item)
      }
    } else {
      // An unnamed file whose only name is removed cannot be linked again.
      try replaceByLink(&target, item)
    }
    target.name = .final
  }

  /// Links a complete unnamed file to a hidden name, and renames it over the existing file.
  private func replaceByLink(
    _ target: inout DestinationFile,
    _ item: CopyItem
  ) throws(SystemError) {
    let (file, directory) = (target.file, item.pair.destination)
    var isLinked = false
    defer { target.wasLinked = isLinked }
    try hidden.replace(item) { hidden throws(SystemError) in
      try directory.link(file, as: hidden)
      isLinked = true
    }
  }
}
