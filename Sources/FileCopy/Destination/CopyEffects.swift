import IOChannelsSystem

/// The steps of a copy that change the destination.
///
/// ``EntryWriter`` makes the changes, and ``DryRun`` only reports them.
protocol CopyEffects: AnyObject, Sendable {
  /// Whether existing files are examined before each copy, and not only when they are met.
  var examinesFirst: Bool { get }

  /// Creates the destination of a directory, or would do so.
  ///
  /// - Returns: False if there is a directory already.
  func createDirectory(_ item: CopyItem, for source: FileStatus) throws(CopyError) -> Bool

  /// Opens the destination of a directory.
  func openDirectory(_ item: CopyItem, isNew: Bool) throws(CopyError) -> OpenedDestination

  /// Whether a name that is created in a directory of the destination appears in one of the source.
  func appearsInSource(_ destination: BorrowedDescriptor, _ source: BorrowedDescriptor) -> Bool

  /// Completes a directory whose contents are complete.
  func complete(_ directory: CopyDirectory, _ worker: CopyWorker)

  /// Copies a file that is not a directory, and reports its failures.
  func copy(_ item: CopyItem, kind: FileKind)

  /// Keeps the existing file, whose status is `found`, as the copy, so that further names of the
  /// source may be linked to it.
  ///
  /// With `updatesMetadata` those of the source are set again.
  ///
  /// - Returns: False if the existing file turned out to have other contents, and was copied.
  func keep(
    _ item: CopyItem,
    _ found: FileStatus,
    for source: FileStatus,
    updatesMetadata: Bool
  ) throws(CopyError) -> Bool

  /// Removes the existing file and reports that.
  func remove(_ item: CopyItem) throws(CopyError)

  /// Renames the existing file to a backup.
  ///
  /// - Returns: The name of the backup, nil if the file did not exist any more.
  func backUp(_ item: CopyItem, _ naming: BackupNaming) throws(CopyError) -> BytePath?

  /// Undoes a backup after the copy has failed, unless a file has the name by now.
  func restoreBackup(of item: CopyItem)

  /// Returns the resolution of file times in the destination, in nanoseconds.
  func timeStep(of found: FileStatus, _ item: CopyItem) -> Int64

  /// Whether the user agrees to overwrite the existing file.
  func confirms(_ item: CopyItem, over found: FileStatus) -> Bool
}

/// The steps where nothing is changed.
extension CopyEffects {
  func keep(
    _ item: CopyItem,
    _ found: FileStatus,
    for source: FileStatus,
    updatesMetadata: Bool
  ) -> Bool { true }

  func restoreBackup(of item: CopyItem) {}

  func confirms(_ item: CopyItem, over found: FileStatus) -> Bool { true }

  // Where nothing is created, nothing appears.
  func appearsInSource(_ destination: BorrowedDescriptor, _ source: BorrowedDescriptor) -> Bool {
    false
  }
}

/// An open directory of the destination.
struct OpenedDestination: ~Copyable {
  var descriptor: OwnedDescriptor
  /// Whether the copy created it.
  var isNew: Bool
  /// Whether a dry run only imagines it. The descriptor is one of the source then.
  var isImagined = false
}
