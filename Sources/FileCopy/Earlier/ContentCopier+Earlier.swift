import IOChannelsSystem

/// Hard links to the unchanged files of an earlier copy.
extension ContentCopier {
  /// Links the name of a copy to the unchanged file of an earlier copy.
  ///
  /// - Returns: False if the source must be copied.
  func linkEarlier(_ item: CopyItem, _ source: borrowing SourceFile) throws(CopyError) -> Bool {
    guard options.contents.copiesBytes, let earlier = context.earlier,
      let file = earlier.linkable(item, to: source)
    else { return false }
    let status = source.status
    do throws(SystemError) {
      try link(file.borrowed, as: item, status)
    } catch {
      // Whatever prevents the link, the copy reports it or has another way.
      return false
    }
    item.worker.progress.count(bytes: status.size)
    let linked = file.borrowed
    recordCopy(linked, item)
    if durable != nil {
      try attempt(.synchronize, item.destinationPath, try linked.synchronize(dataOnly: false))
    }
    try durable?.flushName(of: item)
    item.noteCreated(.hardLink)
    context.manifest?.addExisting(item)
    return true
  }

  /// Links an open file to the name of a copy, and replaces an existing regular file.
  private func link(
    _ file: BorrowedDescriptor,
    as item: CopyItem,
    _ source: FileStatus
  ) throws(SystemError) {
    let (name, directory) = (item.job.destinationName, item.pair.destination)
    do throws(SystemError) {
      return try directory.link(file, as: name)
    } catch .fileExists {
      // It is examined below.
    }
    let found = try directory.status(of: name)
    if try found.identity == file.status().identity { return }
    guard found.kind == .regular, found.identity != source.identity else { throw .fileExists }
    try destination.hidden.replace(item) { hidden throws(SystemError) in
      try directory.link(file, as: hidden)
    }
  }
}
