import IOChannelsSystem

/// The step after all parts of a copy, which checks the copies and completes the directories.
final class ShardFinish: CopyEffects {
  private let effects: EntryWriter
  private let options: CopyOptions
  let examinesFirst = false

  init(_ effects: EntryWriter, _ options: CopyOptions) {
    self.effects = effects
    self.options = options
  }

  func createDirectory(_ item: CopyItem, for source: FileStatus) throws(CopyError) -> Bool {
    if item.servesAsDirectory(try status(ofCopy: item)) { return false }
    throw CopyError(.differentCopy, item.destinationPath, other: item.sourcePath)
  }

  func openDirectory(_ item: CopyItem, isNew: Bool) throws(CopyError) -> OpenedDestination {
    var opened = try effects.openDirectory(item, isNew: isNew)
    opened.isNew = try hasOpeningMode(opened.descriptor.borrowed, item)
    return opened
  }

  /// Whether a directory has the mode with which a part has created it, and not yet that of a
  /// complete copy.
  ///
  /// Where modes are not preserved, a directory that was there before the copy keeps its own.
  private func hasOpeningMode(
    _ directory: BorrowedDescriptor,
    _ item: CopyItem
  ) throws(CopyError) -> Bool {
    let source = try item.sourceStatus()
    let found = try attempt(.status, item.destinationPath, try directory.status())
    let modes = item.context.modes
    let mode =
      modes.openingMode(for: source)
      & ~modes.creationMask(under: item.directory.defaultAccess, isOnPath: true) | 0o700
    return found.permissions & 0o777 == mode & 0o777
  }

  func complete(_ directory: CopyDirectory, _ worker: CopyWorker) {
    effects.complete(directory, worker)
  }

  func copy(_ item: CopyItem, kind: FileKind) {
    do throws(CopyError) {
      let source = try item.sourceStatus()
      let copy = try status(ofCopy: item)
      if !isExpected(copy, of: source, item) {
        throw CopyError(.differentCopy, item.destinationPath, other: item.sourcePath)
      }
    } catch {
      item.fail(error)
    }
  }

  /// Returns the status of a copy.
  private func status(ofCopy item: CopyItem) throws(CopyError) -> FileStatus {
    let (name, directory) = (item.job.destinationName, item.pair.destination)
    do throws(SystemError) {
      return try directory.status(of: name, following: item.job.writesThrough)
    } catch .noSuchFileOrDirectory {
      throw CopyError(.missingCopy, item.destinationPath, other: item.sourcePath)
    } catch {
      throw CopyError(.status, item.destinationPath, error)
    }
  }

  /// Whether a copy has the type and the length that the options demand.
  private func isExpected(_ copy: FileStatus, of source: FileStatus, _ item: CopyItem) -> Bool {
    if options.tree.product == .symbolicLinks { return copy.kind == .symbolicLink }
    let isRead = item.job.readsAnything && source.kind != .symbolicLink
    if copy.kind != (isRead ? .regular : source.kind) { return false }
    // An existing file that is kept has any length, and so has what a device returned.
    let hasLength =
      source.kind == .regular && options.contents.copiesBytes && options.existing.rule == .always
      && !options.existing.updatesOnly
    return !hasLength || copy.size == source.size
  }

  func remove(_ item: CopyItem) {}

  func backUp(_ item: CopyItem, _ naming: BackupNaming) -> BytePath? { nil }

  func timeStep(of found: FileStatus, _ item: CopyItem) -> Int64 {
    effects.timeStep(of: found, item)
  }
}
