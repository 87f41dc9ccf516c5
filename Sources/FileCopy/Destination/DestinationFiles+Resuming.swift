import IOChannelsSystem

/// Files that an interrupted copy has left.
extension DestinationFiles {
  /// Opens an existing file that may have the contents of its source, to read it.
  ///
  /// - Returns: Nil if there is no such file, if it has other names, whose metadata must not
  ///   change, or if another user, who may have it open, would lose it to the owner of the source.
  func openComparable(_ item: CopyItem, for source: FileStatus) -> DestinationFile? {
    if item.job.isUnseen { return nil }
    let (name, directory) = (item.job.destinationName, item.pair.destination)
    // A FIFO or device is never opened.
    guard let seen = try? directory.status(of: name), seen.kind == .regular,
      seen.size == source.size, seen.links == 1, seen.identity != source.identity,
      let file = try? directory.openRegular(name, .noTerminal, following: false),
      let found = try? file.borrowed.status(), found.identity == seen.identity,
      !MetadataChange(item, source, found).needsNewOwner
    else { return nil }
    let claim = overwritten.claim(found.identity)
    return DestinationFile(file, existing: found, claim)
  }

  /// Opens the partial file of an ended copy, or creates one that a later copy can continue.
  func openPartial(_ item: CopyItem, mode: UInt32) throws(CopyError) -> DestinationFile {
    if let left = reopenPartial(item) { return left }
    let number = PartialFile.number(of: item.job.destinationName)
    do throws(CopyError) {
      var target = try hidden.create(item, mode: mode, number: number)
      target.isPartial = true
      return target
    } catch {
      // The file system does not rename, but may link an unnamed file. Or another copy of this
      // process has the hidden name.
      guard error.problem == .rename || error.error == .fileExists else { throw error }
      return try openInvisible(item, mode: mode)
    }
  }

  private func reopenPartial(_ item: CopyItem) -> DestinationFile? {
    guard let name = hidden.takePartial(item) else { return nil }
    let directory = item.pair.destination
    let flags: OpenFlags = [.readWrite, .noTerminal]
    guard (try? directory.status(of: name))?.kind == .regular,
      let file = try? directory.openRegular(name, flags, following: false),
      let found = try? file.borrowed.status(),
      PartialFile.isClosed(found, to: ProcessLimits.effectiveUser),
      file.borrowed.hasNoAccessList
    else {
      directory.removeOwn(name)
      return nil
    }
    var target = DestinationFile(file, .temporary(name))
    target.isPartial = true
    return target
  }
}
