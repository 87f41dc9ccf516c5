import IOChannelsSystem

/// A creator of links to sources instead of copies.
struct SourceLinker: Sendable {
  let options: CopyOptions
  let hidden: HiddenFiles

  /// Creates a hard link to the source.
  func createHardLink(_ item: CopyItem) throws(CopyError) {
    let (job, pair) = (item.job, item.pair)
    let link = { (name: BytePath) throws(SystemError) in
      try pair.destination.link(
        job.sourceName,
        in: pair.source,
        as: name,
        following: job.followsSource
      )
    }
    do throws(SystemError) {
      do throws(SystemError) {
        try link(job.destinationName)
      } catch .fileExists
        where options.existing.removesAfterFailedOpen || options.existing.rule == .ask
      {
        try hidden.replace(item, link)
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
      do throws(SystemError) {
        try directory.makeSymbolicLink(item.job.destinationName, to: path)
      } catch .fileExists where options.existing.removesAfterFailedOpen {
        try hidden.replace(item) { name throws(SystemError) in
          try directory.makeSymbolicLink(name, to: path)
        }
      }
    } catch {
      throw CopyError(.linkToSource, item.destinationPath, other: path, error)
    }
    item.noteCreated(.symbolicLink)
    if options.metadata.preserved.contains(.timestamps) { try setTimes(item) }
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
