import IOChannelsSystem

/// Files with several names: one name is copied, and the others are linked to it.
extension EntryWriter {
  /// Copies a file with a closure, links it to a copy under another name, or lets it wait for that
  /// copy.
  func copyOrLink(
    _ item: CopyItem,
    _ status: FileStatus,
    copy: (CopyItem) throws(CopyError) -> Void
  ) throws(CopyError) {
    guard links.areKept(for: status, item) else { return try copy(item) }
    var item = item
    // A name that waits is unfinished work of its directory. Its task may begin at once.
    item.directory.begin()
    let claim = links.claim(status, by: &item)
    if case .wait = claim { return }
    // The task of this name keeps the directory unfinished.
    _ = item.directory.end()
    switch claim {
    case .wait: break
    case .copy:
      let file = (status.identity, status.kind)
      try settle(item.job, file, item.worker) { () throws(CopyError) in try copy(item) }
    case .link(let first): link(item, to: first)
    case .copyAlone:
      if status.links > 1 { context.warn(CopyError(.tooManyLinks, item.sourcePath)) }
      try copy(item)
    }
  }

  /// Copies a file under a name that has waited for another one, which has failed.
  func copyNext(_ job: FileJob, _ file: FileIdentity, _ kind: FileKind, _ worker: CopyWorker) {
    do throws(CopyError) {
      // If the directory cannot be opened again, only this name fails, and the next one is copied.
      try settle(job, (file, kind), worker) { () throws(CopyError) in
        try held.withPair(of: job.directory) { (pair) throws(CopyError) in
          let item = CopyItem(job, in: pair, worker)
          do throws(CopyError) {
            try copyFirst(item, file, kind)
          } catch {
            backups.restore(item)
            throw error
          }
        }
      }
    } catch {
      worker.fail(error)
    }
  }

  /// Copies a file, and adds tasks for the names that wait for it: links, or another attempt.
  private func settle(
    _ job: FileJob,
    _ file: (identity: FileIdentity, kind: FileKind),
    _ worker: CopyWorker,
    copy: () throws(CopyError) -> Void
  ) throws(CopyError) {
    do throws(CopyError) {
      try copy()
    } catch {
      if let next = links.failed(file.identity) {
        worker.group.add(.firstName(next, file.identity, file.kind))
      }
      throw error
    }
    for waiter in links.copied(file.identity, as: job) {
      worker.group.add(.link(waiter, to: job))
    }
  }

  /// Links a name to a copy under another name.
  func link(_ item: CopyItem, to first: FileJob) {
    do throws(SystemError) {
      let refusal = try links.link(item, to: first) { isContested in
        item.noteCreated(.hardLink)
        context.manifest?.addLink(item)
        links.add(item, to: first, isContested: isContested)
      }
      if let refusal {
        if mayNotReplace(item, refusal) { throw refusal }
        // Further names link to this copy.
        restart(item)
      }
    } catch {
      switch error {
      case .noSuchFileOrDirectory:
        // Another process removed the first name, and may create it again.
        restart(item, rejoining: first)
      case .isDirectory: item.fail(item.existingDirectoryError)
      default:
        backups.restore(item)
        item.fail(
          CopyError(.createHardLink, item.destinationPath, other: first.destinationPath, error)
        )
      }
    }
  }

  /// Whether the user may not change the directory. As with cp, an existing file is not overwritten
  /// then in place of a link.
  private func mayNotReplace(_ item: CopyItem, _ error: SystemError) -> Bool {
    error == .permissionDenied && !item.pair.destination.mayWrite(to: ".")
  }

  /// Copies a file that could not be linked. Its further names are linked to this one.
  ///
  /// If the name `first` exists again afterwards, its file replaces the copy.
  private func restart(_ item: CopyItem, rejoining first: FileJob? = nil) {
    do throws(CopyError) {
      let status = try item.sourceStatus()
      let (file, kind) = (status.identity, status.kind)
      if first == nil { links.forget(file, item.worker) }
      try settle(item.job, (file, kind), item.worker) { () throws(CopyError) in
        try copyFirst(item, file, kind)
        if let first { try rejoin(item, to: first) }
      }
    } catch {
      backups.restore(item)
      item.fail(error)
    }
  }

  private func rejoin(_ item: CopyItem, to first: FileJob) throws(CopyError) {
    do throws(SystemError) {
      if let refusal = try links.link(item, to: first) { throw refusal }
    } catch .noSuchFileOrDirectory {
      // A process that creates the first name again links this one to it.
    } catch {
      throw CopyError(
        .createHardLink,
        item.destinationPath,
        other: first.destinationPath,
        error
      )
    }
    links.add(item, to: first, isContested: true)
  }
}
