/// An event of a copy.
public enum CopyEvent: Sendable {
  /// A file is about to be copied, or a directory was created.
  ///
  /// If the existing file was backed up, `backup` is its new name.
  case copying(source: BytePath, destination: BytePath, backup: BytePath?)
  /// A parent directory was created because of ``CopyOptions/Tree/keepsParents``.
  case createdParent(source: BytePath, destination: BytePath)
  /// A backup was renamed to its original name because the copy failed.
  case restored(backup: BytePath, destination: BytePath)
  /// An existing file was removed before the copy.
  case removed(BytePath)
  /// An entry of the destination that the source lacks was removed.
  ///
  /// It follows the events of the entries in a removed directory.
  case removedExtraneous(BytePath, isDirectory: Bool)
  /// A complete copy was flushed to disk and is about to be read back.
  case verifying(BytePath)
  /// A file, directory or link was created.
  case copied(CopyRecord)
  /// A problem that is not a failure.
  case warning(CopyError)
  /// A failure. The copy continues with the next file.
  case failure(CopyError)
}

/// An observer of the events of a copy.
public struct CopyObserver: Sendable {
  /// Whether it receives events that precede or accompany a copy.
  ///
  /// They are ``CopyEvent/copying(source:destination:backup:)`` and those about created parents,
  /// backups and removed entries.
  public var observesOperations: Bool
  /// Whether it receives ``CopyEvent/copied(_:)``, ``CopyEvent/verifying(_:)`` and
  /// ``CopyEvent/removedExtraneous(_:isDirectory:)``.
  public var observesResults: Bool
  /// A handler that receives an event. Threads of the copy may call it concurrently.
  public var handle: @Sendable (CopyEvent) -> Void

  /// Creates an observer, which always receives warnings and failures.
  public init(
    observesOperations: Bool = false,
    observesResults: Bool = false,
    handle: @escaping @Sendable (CopyEvent) -> Void
  ) {
    self.observesOperations = observesOperations
    self.observesResults = observesResults
    self.handle = handle
  }
}
