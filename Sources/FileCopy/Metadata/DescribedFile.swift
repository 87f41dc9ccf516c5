import IOChannelsSystem

/// A file of the destination whose metadata is set, and its source.
struct DescribedFile {
  var file: BorrowedDescriptor
  /// The file system that contains the file.
  let system: KnownFileSystem
  /// The source, nil if only its status is needed.
  var source: BorrowedDescriptor?
  /// The thread that reports failures.
  var worker: CopyWorker
  /// The directory that contains the file, or that is the file.
  private let directory: CopyDirectory
  /// The names in the directory; empty for the directory itself.
  private let sourceName: BytePath
  private let name: BytePath

  private static let noName: BytePath = ""

  /// Describes the file of a name.
  init(
    _ file: BorrowedDescriptor,
    on system: KnownFileSystem,
    source: BorrowedDescriptor? = nil,
    of item: CopyItem
  ) {
    self.file = file
    self.system = system
    self.source = source
    worker = item.worker
    directory = item.directory
    sourceName = item.job.sourceName
    name = item.job.destinationName
  }

  /// Describes a directory itself.
  init(
    _ directory: CopyDirectory,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) {
    file = pair.destination
    system = directory.systems.destination
    source = pair.source
    self.worker = worker
    self.directory = directory
    sourceName = DescribedFile.noName
    name = DescribedFile.noName
  }

  /// The path of the file for messages.
  var path: BytePath { directory.destinationPath(name) }
  /// The path of the source for messages.
  var sourcePath: BytePath { directory.sourcePath(sourceName) }

  /// Reports a failure.
  func fail(_ problem: CopyProblem, _ error: SystemError) {
    worker.fail(CopyError(problem, path, error))
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
