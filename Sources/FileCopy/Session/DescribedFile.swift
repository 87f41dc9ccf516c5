import IOChannelsSystem

/// A file of the destination whose description is set, what it is described by, and who hears of
/// failures.
struct DescribedFile {
  var file: BorrowedDescriptor
  /// The file system that holds it.
  var device: UInt64
  /// The source, nil where nothing more is asked of it than its status.
  var source: BorrowedDescriptor?
  var worker: CopyWorker
  /// The path of the file and that of its source, for people.
  var path: () -> BytePath
  var sourcePath: () -> BytePath
}

/// What a source has beside its status.
struct SourceAttributes {
  /// The names of its extended attributes.
  var names: [BytePath] = []
  /// Who may do what besides what the mode says.
  var accessList: AccessList?
  /// What a directory hands on.
  var inheritedList: AccessList?
  /// Whether the lists could not be read, so that nobody but the owner may get rights.
  var isUnknown = false
}
