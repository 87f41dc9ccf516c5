import IOChannelsSystem

/// Links to sources instead of copies.
extension EntryWriter {
  /// Creates a hard link to the source.
  func createHardLink(_ item: CopyItem) throws(CopyError) {
    let (job, pair) = (item.job, item.pair)
    let replaces = options.existing.removesAfterFailedOpen || options.existing.rule == .ask
    do throws(SystemError) {
      try make(item, replaces: replaces) { name throws(SystemError) in
        try pair.destination.link(
          job.sourceName,
          in: pair.source,
          as: name,
          following: job.followsSource
        )
      }
    } catch {
      throw CopyError(.createHardLink, item.destinationPath, other: item.sourcePath, error)
    }
    item.noteCreated(.hardLink)
  }

  /// Creates a symbolic link to the source's path.
  func createSymbolicLink(_ item: CopyItem) throws(CopyError) {
    let (path, directory) = (item.sourcePath, item.pair.destination)
    let here = try? BorrowedDescriptor.workingDirectory.status(of: ".").identity
    // A relative path would lead elsewhere from another directory.
    guard path.isAbsolute || here == item.directory.destination.identity else {
      throw CopyError(.relativeLink, item.destinationPath)
    }
    do throws(SystemError) {
      try make(item, replaces: options.existing.removesAfterFailedOpen) {
        name throws(SystemError) in
        try directory.makeSymbolicLink(name, to: path)
      }
    } catch {
      throw CopyError(.linkToSource, item.destinationPath, other: path, error)
    }
    item.noteCreated(.symbolicLink)
    if options.metadata.preserved.contains(.timestamps) { try setTimes(item) }
  }

  private func make(
    _ item: CopyItem,
    replaces: Bool,
    _ create: (BytePath) throws(SystemError) -> Void
  ) throws(SystemError) {
    do throws(SystemError) {
      try create(item.job.destinationName)
    } catch .fileExists where replaces {
      try backups.hidden.replace(item, create)
    }
  }

  /// Gives the times of the source to the symbolic link, but no other metadata, as cp does.
  private func setTimes(_ item: CopyItem) throws(CopyError) {
    let source = try item.sourceStatus()
    do throws(SystemError) {
      let link = try item.pair.destination.open(item.job.destinationName, [.path, .noFollow])
      // Another process may have replaced it.
      guard try link.borrowed.status().kind == .symbolicLink else { throw .staleFileHandle }
      try link.borrowed.setTimesOfHandle(accessed: source.accessed, modified: source.modified)
    } catch {
      throw CopyError(.setTimes, item.destinationPath, error)
    }
  }
}
