import IOChannelsSystem

/// The open destination of a regular file.
struct DestinationFile: ~Copyable {
  /// The name of the file until it is complete.
  enum Name {
    /// The final name, under which this copy created the file.
    case final
    /// A hidden name.
    case temporary(BytePath)
    /// No name.
    case unnamed
    /// The name that the file had before the copy.
    case kept
  }

  /// The file, which is valid until ``close()``.
  let file: BorrowedDescriptor
  private var descriptor: OwnedDescriptor?
  var name: Name
  private let overwritten: Overwritten?
  /// Whether the file replaces the existing file.
  var replaces = false
  /// The regular file that it replaces.
  var replaced: Replaced?
  /// Whether an unnamed file got a hidden name that could not become its final one.
  var wasLinked = false
  /// Whether the existing file was emptied when it was opened.
  var isEmptied = false
  /// Whether a later copy may continue this one, which the file's hidden name allows.
  var isPartial = false
  /// Whether the file was created with its final mode, because the file system cannot change it.
  var keepsMode = false

  /// A file that is overwritten. Most files are new, and their values are short.
  private final class Overwritten {
    let status: FileStatus
    /// Prevents that other threads write to the file.
    let claim: OverwrittenFiles.Claim

    init(_ status: FileStatus, _ claim: consuming OverwrittenFiles.Claim) {
      self.status = status
      self.claim = claim
    }
  }

  /// A file that is replaced.
  final class Replaced {
    let status: FileStatus
    /// Whether it has an access list, or may have one.
    let hasList: Bool

    init(_ status: FileStatus, hasList: Bool) {
      self.status = status
      self.hasList = hasList
    }
  }

  /// The status before the copy, if the file is overwritten.
  var existing: FileStatus? { overwritten?.status }

  /// Creates the value of a new file.
  init(_ file: consuming OwnedDescriptor, _ name: Name) {
    self.file = file.borrowed
    descriptor = consume file
    self.name = name
    overwritten = nil
  }

  /// Creates the value of a file that is overwritten.
  init(
    _ file: consuming OwnedDescriptor,
    existing: FileStatus,
    _ claim: consuming OverwrittenFiles.Claim
  ) {
    self.file = file.borrowed
    descriptor = consume file
    name = .kept
    overwritten = Overwritten(existing, claim)
  }

  /// Closes the file. Some file systems report a failed write only then.
  mutating func close() throws(SystemError) {
    try descriptor.take()?.close()
  }

  /// Closes and removes a new file that could not be completed, unless another process has replaced
  /// it, or the copy was stopped and a later one may continue it.
  ///
  /// It is closed first, as some file systems rename an open file that is removed, which may be
  /// refused.
  mutating func discard(_ item: CopyItem, isStopped: Bool = false) {
    let directory = item.pair.destination
    var ownName: BytePath?
    switch name {
    case .temporary where isPartial && isStopped: break
    case .final:
      let name = item.job.destinationName
      if !isReplaced(under: name, in: directory) { ownName = name }
    case .temporary(let name): ownName = name
    case .unnamed, .kept: break
    }
    try? close()
    if let ownName { directory.removeOwn(ownName) }
  }

  /// Sets the modification time of an existing file whose contents may be wrong to 0.
  ///
  /// A copy of newer files replaces it then, and a continued one does not keep it.
  func outdate() {
    guard descriptor != nil, let existing, existing.kind == .regular else { return }
    let time = FileTime(seconds: 0, nanoseconds: 0)
    try? file.setTimes(accessed: existing.accessed, modified: time)
  }

  /// Whether another file has a name of this one by now, as far as that is known.
  private func isReplaced(under name: BytePath, in directory: BorrowedDescriptor) -> Bool {
    // After a failed close there is no descriptor to compare.
    guard descriptor != nil, let own = try? file.status(),
      let found = try? directory.status(of: name)
    else { return false }
    return own.identity != found.identity
  }

  /// Sets the size of an overwritten file that was longer than its source.
  ///
  /// If nothing was written, that also sets the modification time, even of an empty file.
  func finishLength(_ count: Int64, _ item: CopyItem) throws(CopyError) {
    guard let existing, existing.kind == .regular, !isEmptied else { return }
    guard existing.size > count || count == 0 else { return }
    try attempt(.setSize, item.destinationPath, try file.setSize(count))
  }
}

extension CopyError {
  /// Whether the disk may have other bytes of an existing file than its source, because the file
  /// could not be verified or flushed.
  var leavesDoubt: Bool { problem == .verification || problem == .synchronize }
}
