import IOChannelsSystem

/// A name to copy from a source directory to a destination directory.
struct FileJob: Sendable {
  let directory: CopyDirectory
  private(set) var sourceName: BytePath
  private(set) var destinationName: BytePath
  /// The operand, if the name is one.
  var operand: CopyOperand?
  /// Whether a symbolic link with the source's name is followed.
  var followsSource = false
  /// Whether the copy is written to the existing file even if that is not a regular file.
  var writesThrough = false
  /// Whether the contents of the source are read, regardless of its file type.
  var readsAnything = false
  /// Whether the name is a directory on the path of an operand, whose contents are not copied.
  var isOnPath = false
  /// The name to which the existing file was moved as a backup.
  var backup: BytePath?
  /// Whether the existing file was removed before the copy.
  var existingWasRemoved = false
  /// Whether the existing file is kept, and further names may be linked to it.
  var isKept = false
  /// The best way in which the copy can appear that the file system has not refused.
  var way = AppearanceWay.cloned
  /// Whether another process uses the destination's name at the same time.
  var isContested = false
  /// The file that was examined under the source's name and must be the one that is opened.
  var expected: FileIdentity?
  /// The source file, if it has several names.
  var linkedFile: LinkedFile?

  /// Makes a job that nothing has changed that of another name in its directory.
  mutating func setName(of entry: DirectoryEntry) {
    // The name is written to the memory of the last one, which only one path may use then.
    destinationName = FileJob.noName
    entry.copyName(to: &sourceName)
    destinationName = sourceName
    expected = nil
  }

  /// The name of a directory itself.
  static let noName: BytePath = ""

  /// Whether only another name of this copy can have the destination's name.
  ///
  /// Two names of a source are the same name where case does not count. Components of an operand's
  /// path may be dots.
  var isFree: Bool { isUnseen && operand == nil && !isOnPath }

  /// Whether no file has the destination's name, because its directory is new.
  var isUnseen: Bool { directory.isNew && !isContested }

  /// Whether only a directory can have the destination's name, because a slash ends it.
  ///
  /// Names inside directories have no slashes.
  var isDirectoryName: Bool {
    operand != nil && destinationName.bytes.last == UInt8(ascii: "/")
  }

  /// Whether the copy is the file that a symbolic link with the destination's name may lead to, as
  /// with cp.
  var isTarget: Bool { writesThrough && followsSource }

  /// The path of the source for messages.
  var sourcePath: BytePath { directory.sourcePath(sourceName) }
  /// The path of the destination for messages.
  var destinationPath: BytePath { directory.destinationPath(destinationName) }
}
