import IOChannelsSystem

/// The other steps that change the destination.
extension EntryWriter: CopyEffects {
  /// Creates a directory that only its owner can change until it is complete.
  func createDirectory(_ item: CopyItem, for source: FileStatus) throws(CopyError) -> Bool {
    let (name, directory) = (item.job.destinationName, item.pair.destination)
    // A rerun finds most directories, and a failed call to create one locks the parent.
    if context.options.existing.resumes && !item.directory.isNew,
      let found = try? directory.status(of: name), item.servesAsDirectory(found)
    {
      return false
    }
    do throws(SystemError) {
      try directory.makeDirectory(name, permissions: context.modes.openingMode(for: source))
      return true
    } catch {
      // Some file systems refuse before they check whether the name exists.
      if error == .fileExists || error.isRefusal || error == .readOnlyFileSystem,
        item.mayTake(links: .max), let found = try? directory.status(of: name)
      {
        if item.servesAsDirectory(found) { return false }
        throw CopyError(.existingNonDirectory, item.destinationPath, other: item.sourcePath)
      }
      throw CopyError(.createDirectory, item.destinationPath, error)
    }
  }

  func openDirectory(_ item: CopyItem, isNew: Bool) throws(CopyError) -> OpenedDestination {
    let descriptor = try attempt(
      .readDirectory,
      item.destinationPath,
      try item.pair.destination.openDirectory(
        item.job.destinationName,
        following: context.options.tree.keepsDirectoryLinks
      )
    )
    return OpenedDestination(descriptor: descriptor, isNew: isNew)
  }

  func appearsInSource(_ destination: BorrowedDescriptor, _ source: BorrowedDescriptor) -> Bool {
    files.hidden.isShown(in: source, createdIn: destination)
  }

  func complete(_ directory: CopyDirectory, _ worker: CopyWorker) {
    held.withPair(of: directory, worker) { pair in
      files.hidden.removeUnused(in: directory, pair.destination)
      metadata.complete(directory, in: pair, worker)
    }
  }

  func remove(_ item: CopyItem) throws(CopyError) { try files.remove(item) }

  func backUp(_ item: CopyItem, _ naming: BackupNaming) throws(CopyError) -> BytePath? {
    try backups.backUp(item, naming)
  }

  func restoreBackup(of item: CopyItem) { backups.restore(item) }

  func timeStep(of found: FileStatus, _ item: CopyItem) -> Int64 {
    timeSteps.step(of: found, item)
  }

  func confirms(_ item: CopyItem, over found: FileStatus) -> Bool {
    let isWritable =
      context.isSuperuser || found.kind == .symbolicLink
      || item.pair.destination.mayWrite(to: item.job.destinationName)
    let options = context.options
    let question = CopyQuestion(
      path: item.destinationPath,
      unwritableMode: isWritable ? nil : found.mode,
      wouldReplace: options.existing.removesBeforeOpening || options.existing.removesAfterFailedOpen
    )
    // Without a function to ask, the answer is no.
    return options.existing.confirm?(question) ?? false
  }
}
