/// One thing that a copy made.
public struct CopyRecord: Sendable, Hashable {
  /// What was made.
  public enum Kind: Sendable, Hashable {
    /// A regular file, and how its bytes came over.
    case file(CopyMethod)
    /// A directory.
    case directory
    /// A symbolic link.
    case symbolicLink
    /// A further name of a file.
    case hardLink
    /// A FIFO, socket or device.
    case special
  }

  /// What was made.
  public let kind: Kind
  /// What it was made from.
  public let source: FilePath
  /// Where it is.
  public let destination: FilePath
  /// The bytes of a regular file.
  public let bytes: Int64
  /// How a regular file was verified, nil when it was not.
  public let check: CopyCheck?
}

extension CopySession {
  /// Tells of something that came to be, where somebody wants to hear it.
  func record(
    _ kind: CopyRecord.Kind,
    _ job: FileJob,
    bytes: Int64 = 0,
    check: CopyCheck? = nil
  ) {
    guard let observer = options.observer, observer.hearsCopies else { return }
    observer.handle(
      .copied(
        CopyRecord(
          kind: kind,
          source: job.sourcePath,
          destination: job.destinationPath,
          bytes: bytes,
          check: check
        )
      )
    )
  }
}
