import IOChannelsSystem

/// A file of the destination whose metadata is set, and its source.
struct DescribedFile {
  var file: BorrowedDescriptor
  /// The file system that contains the file.
  var device: UInt64
  /// The source, nil if only its status is needed.
  var source: BorrowedDescriptor?
  /// The thread that reports failures.
  var worker: CopyWorker
  /// The path of the file for messages.
  var path: () -> BytePath
  /// The path of the source for messages.
  var sourcePath: () -> BytePath

  /// Reports a failure.
  func fail(_ problem: CopyProblem, _ error: SystemError) {
    worker.fail(CopyError(problem, path(), error))
  }
}

/// The extended attributes and access lists of a source.
struct SourceAttributes {
  /// The names of its extended attributes.
  var names: [BytePath] = []
  /// The access list of the file.
  var accessList: AccessList?
  /// The default access list of a directory.
  var inheritedList: AccessList?
  /// Whether the lists could not be read, so that only the owner may get rights.
  var isUnknown = false
}
