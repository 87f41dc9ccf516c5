/// Something that happened in a copy.
public enum CopyEvent: Sendable {
  /// A source is copied to a destination: announced before a file, after a directory was made.
  /// What was in the way may have been kept as a backup.
  case copying(source: FilePath, destination: FilePath, backup: FilePath?)
  /// A directory on the path of a source was made.
  case madeParent(source: FilePath, destination: FilePath)
  /// A backup got its name back, for the copy failed.
  case restored(backup: FilePath, destination: FilePath)
  /// A file at the destination had to go before the copy.
  case removed(FilePath)
  /// A complete copy is on its disk and is about to be read again.
  case verifying(FilePath)
  /// Something came to be at the destination.
  case copied(CopyRecord)
  /// Something that the caller should know and that is no failure.
  case warning(CopyError)
  /// A failure; the copy goes on with the next file.
  case failure(CopyError)
}

/// Who hears of what happens in a copy.
public struct CopyObserver: Sendable {
  /// Whether each file is announced.
  public var hearsFiles: Bool
  /// Whether everything that came to be is told.
  public var hearsCopies: Bool
  /// Takes one event. Called on any of the copy's threads, also at the same time.
  public var handle: @Sendable (CopyEvent) -> Void

  /// Makes an observer; failures and warnings are told in any case.
  public init(
    hearsFiles: Bool = false,
    hearsCopies: Bool = false,
    handle: @escaping @Sendable (CopyEvent) -> Void
  ) {
    self.hearsFiles = hearsFiles
    self.hearsCopies = hearsCopies
    self.handle = handle
  }
}
