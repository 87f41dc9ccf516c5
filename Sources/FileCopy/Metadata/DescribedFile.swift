import IOChannelsSystem

/// A file of the destination whose metadata is set, and its source.
struct DescribedFile: ~Copyable {
  let file: BorrowedDescriptor
  /// The source, nil if only its status is needed.
  var source: BorrowedDescriptor?
  /// The file system that contains the file.
  let system: KnownFileSystem
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
