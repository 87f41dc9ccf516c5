import IOChannelsSystem

/// The flushes that make each file durable before its copy counts as complete.
///
/// The contents are flushed before the file gets its name, and the name before the copy is
/// reported. So a loss of power leaves the complete file, the old one or none.
struct DurableFiles: Sendable {
  private let fileSystems: FlushedFileSystems

  /// Creates the flushes of a copy; nil if it does not flush each file.
  init?(_ context: CopyContext) {
    guard context.options.durability == .everyFile, let fileSystems = context.fileSystems else {
      return nil
    }
    self.fileSystems = fileSystems
  }

  /// Flushes the contents and the metadata of a file that is complete.
  func flush(_ target: borrowing DestinationFile, _ item: CopyItem) throws(CopyError) {
    if let existing = target.existing, existing.kind != .regular { return }
    let file = target.file
    try attempt(.synchronize, item.destinationPath, try flush(file, item))
  }

  private func flush(_ file: BorrowedDescriptor, _ item: CopyItem) throws(SystemError) {
    let device = try file.status().identity.device
    guard let fileSystem = fileSystems[device], fileSystem.flushesTogether else {
      return try file.synchronize(dataOnly: false)
    }
    try fileSystem.batch.flush { isAlone throws(SystemError) in
      if isAlone {
        try file.synchronize(dataOnly: false)
      } else {
        try fileSystem.flush()
      }
    }
    // The error of a write that failed before an earlier flush was reported to that one. The file
    // itself has it, too.
    try file.writeBack(offset: 0, length: 0, waits: true)
  }

  /// Whether a file that the copy keeps must be flushed, because the flush at the end of the copy
  /// does not make it durable.
  func flushesKept(_ item: CopyItem) -> Bool {
    fileSystems[item.destinationSystem.device].map { !$0.flushesAll } ?? false
  }

  /// Flushes the name of a file, and those of the new directories above it.
  func flushName(of item: CopyItem) throws(CopyError) {
    try attempt(.synchronize, item.destinationPath, try flushDirectory(of: item))
  }

  private func flushDirectory(of item: CopyItem) throws(SystemError) {
    guard let fileSystem = fileSystems[item.destinationSystem.device], fileSystem.flushesTogether
    else {
      return try flushDirectories(of: item)
    }
    try fileSystem.batch.flush { isAlone throws(SystemError) in
      if isAlone && !item.directory.isNew && fileSystem.flushesDirectories {
        do throws(SystemError) {
          return try flushDirectories(of: item)
        } catch {
          // A directory that the user cannot read cannot be flushed by itself.
          if error != .permissionDenied { throw error }
        }
      }
      try fileSystem.flush()
    }
  }

  /// Flushes the directory of a file, and each directory above it up to the first existing one.
  private func flushDirectories(of item: CopyItem) throws(SystemError) {
    let flags: OpenFlags = [.readOnly, .directory]
    var current = try item.pair.destination.open(".", flags)
    var directory = item.directory
    while true {
      do throws(SystemError) {
        try current.borrowed.synchronize(dataOnly: false)
      } catch .invalidArgument {
        // Some file systems have no flush of directories.
      }
      guard directory.isNew, let parent = directory.parent else { return }
      current = try current.borrowed.open("..", flags)
      if try current.borrowed.status().identity != parent.destination.identity {
        throw .staleFileHandle
      }
      directory = parent
    }
  }
}
