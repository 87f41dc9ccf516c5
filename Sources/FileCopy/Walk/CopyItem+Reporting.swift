import IOChannelsSystem

/// The report and the events of a name.
extension CopyItem {
  /// Reports a failure.
  func fail(_ failure: CopyError) { worker.fail(failure) }

  /// Reports a failure at the destination.
  func fail(_ problem: CopyProblem, _ error: SystemError) {
    worker.fail(CopyError(problem, destinationPath, error))
  }

  /// Reports that the name is about to be copied.
  ///
  /// As with cp, the report about a directory names no backup.
  func announce(isDirectory: Bool = false) {
    // The last step copies nothing.
    if context.options.shard == .finish { return }
    context.operationObserver?.handle(
      .copying(
        source: sourcePath,
        destination: destinationPath,
        backup: isDirectory ? nil : job.backup.map { directory.destinationPath($0) }
      )
    )
  }

  /// Reports that a directory on an operand's path was created.
  func announceParent() {
    context.operationObserver?.handle(
      .createdParent(source: sourcePath, destination: destinationPath)
    )
  }

  /// Reports that the existing file was removed.
  func announceRemoval() {
    context.operationObserver?.handle(.removed(destinationPath))
  }

  /// Counts a file, link or directory that was created, and reports it.
  func noteCreated(_ kind: CopyRecord.Kind, bytes: Int64 = 0, check: CopyCheck? = nil) {
    switch kind {
    case .file(let method): worker.report.addFile(method, bytes: bytes)
    case .directory: worker.report.directoryCount += 1
    case .symbolicLink: worker.report.symbolicLinkCount += 1
    case .hardLink: worker.report.hardLinkCount += 1
    case .special: worker.report.specialFileCount += 1
    }
    if let check { worker.report.add(check) }
    // A directory that is created is not complete.
    if kind != .directory { job.operand?.setCreated() }
    context.resultObserver?.handle(
      .copied(
        CopyRecord(
          kind: kind,
          source: sourcePath,
          destination: destinationPath,
          byteCount: bytes,
          check: check
        )
      )
    )
  }
}
