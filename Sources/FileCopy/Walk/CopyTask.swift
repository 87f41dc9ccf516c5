import IOChannelsSystem

/// A unit of work for the next free thread.
///
/// Each task counts as unfinished work of its directory.
enum CopyTask: Sendable {
  /// Copies a directory inside a tree.
  case enter(FileJob)
  /// Reads the next names of a directory, from a position on.
  case read(CopyDirectory, position: Int64)
  /// Copies names of a directory that are probably not directories.
  case files(CopyDirectory, ArraySlice<DirectoryEntry>)
  /// Copies an operand that is not a directory.
  case operand(FileJob, FileKind)
  /// Copies a file with several hard links under this name, because another name has failed.
  case firstName(FileJob, FileIdentity, FileKind)
  /// Creates a further hard link to a file that was copied under the name `to`.
  case link(FileJob, to: FileJob)
}
