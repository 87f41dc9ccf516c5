import IOChannelsSystem

/// What is given to the next thread that is free.
///
/// Each task counts as unfinished business of the directory it belongs to.
enum CopyTask: Sendable {
  /// A directory inside one that is being copied.
  case enter(FileJob)
  /// The next names of a directory, which go on at a position.
  case read(CopyDirectory, position: Int64)
  /// Names of a directory that are probably no directories.
  case files(CopyDirectory, ArraySlice<DirectoryEntry>)
  /// An operand that is no directory.
  case operand(FileJob, FileKind)
  /// A file with several names whose copy under another name failed: it is this one's turn.
  case firstName(FileJob, FileIdentity, FileKind)
  /// A further name for a file that was copied.
  case link(FileJob, to: FileJob)
}

/// A name on its way from a source directory to a destination directory.
struct FileJob: Sendable {
  let directory: CopyDirectory
  let sourceName: BytePath
  let destinationName: BytePath
  /// The operand that the name belongs to, where it is one.
  var operand: CopyOperand?
  /// Whether a symbolic link at the source's name stands for what it points to.
  var followsSource = false
  /// Whether what stands at the destination's name is written to even if it is no regular file.
  var writesThrough = false
  /// Whether the source is read whatever kind of file it is.
  var readsAnything = false
  /// Whether it is a directory on the path of an operand, of which nothing else is copied.
  var isOnPath = false
  /// The name under which the file that was in the way is kept.
  var backup: BytePath?
  /// Whether what has the destination's name stays, and other names may be linked to it.
  var isKept = false
  /// The best way to make it appear that was not refused.
  var way = AppearanceWay.linked
  /// Whether another process uses the destination's name at the same time.
  var isContested = false
  /// The file that the source's name must lead to, where it was looked at before.
  var expected: FileIdentity?
  /// The file that the source's name leads to, where it has several names.
  var linkedFile: LinkedFile?

  /// Whether nothing can have the destination's name but another name of this copy, which is the
  /// same one where case does not count. The parts of an operand's path may be dots.
  var isFree: Bool { isUnseen && operand == nil && !isOnPath }

  /// Whether the destination's name has no file, because its directory is new.
  var isUnseen: Bool { directory.isNew && !isContested }

  var sourcePath: BytePath { directory.sourcePath(sourceName) }
  var destinationPath: BytePath { directory.destinationPath(destinationName) }
}
