/// Why something was not copied.
public struct CopyError: Error, Sendable, Hashable {
  /// What was tried or found.
  public enum Problem: Sendable, Hashable {
    /// A path could not be looked at.
    case status
    /// A directory could not be read.
    case readDirectory
    /// A file could not be opened for reading.
    case open
    /// A file could not be made or opened for writing.
    case createFile
    /// A file could not be renamed, and so cannot appear complete.
    case rename
    /// A directory could not be made.
    case createDirectory
    /// A symbolic link could not be made.
    case createSymbolicLink
    /// A further name could not be given; the other path is the first name.
    case createHardLink
    /// A FIFO could not be made.
    case createFIFO
    /// A socket or device could not be made.
    case createSpecialFile
    /// A symbolic link could not be read.
    case readSymbolicLink
    /// Bytes could not be read.
    case read
    /// Bytes could not be written.
    case write
    /// Blocks could not be shared; the other path is the source.
    case clone
    /// The kernel could not copy bytes; the other path is the destination.
    case copyBytes
    /// The length could not be set.
    case setSize
    /// A file could not be closed, which is where some file systems report a failed write.
    case close
    /// What was written could not be brought to the disk.
    case synchronize
    /// A file that stands in the way could not be removed.
    case remove
    /// Owner or group could not be set.
    case setOwnership
    /// The permission bits could not be set.
    case setPermissions
    /// The times could not be set.
    case setTimes
    /// The names of extended attributes could not be had.
    case listAttributes
    /// The value of an extended attribute could not be had; the other path is its name.
    case readAttribute
    /// An extended attribute could not be set; the other path is its name.
    case setAttribute
    /// The destination cannot store some extended attributes of the source.
    case setAttributes
    /// Who may do what with a source could not be found out.
    case readPermissions
    /// The destination is not a directory, and has to be.
    case target
    /// The directory to copy into is not a directory.
    case targetDirectory

    /// Source and destination are one file.
    case sameFile
    /// A file in the way could not be kept under another name.
    case backUp
    /// A symbolic link to a source could not be made; the other path is the source.
    case linkToSource

    /// A directory on the path of a source could not be looked at.
    case parentStatus
    /// Something else is in the place of a directory on the path of a source.
    case noParentDirectory
    /// Sources that keep their paths need a directory to go into.
    case parentsNeedDirectory
    /// A file in the way was to be kept as it is.
    case notReplacing
    /// A backup of the destination would replace the source, which is the other path.
    case backupIsSource
    /// A link to a relative path would lead elsewhere from another directory.
    case relativeLink
    /// A directory was given without asking for what is below it.
    case omittedDirectory
    /// A directory stands inside itself; the other path is the inner one.
    case intoItself
    /// A symbolic link leads back to a directory around it.
    case cycle
    /// A directory would replace something else; the other path is the directory.
    case nonDirectoryInTheWay
    /// Something else would replace a directory.
    case directoryInTheWay
    /// The destination was made in this very copy; the other path is the second source.
    case justCreated
    /// The destination is a symbolic link made in this very copy; the other path is the link.
    case throughJustCreatedLink
    /// The destination is a symbolic link that leads nowhere.
    case danglingLink
    /// The destination is a symbolic link inside the tree.
    case linkInTheWay
    /// Another file had the name when it was opened.
    case replaced
    /// The file was changed by somebody else during the copy.
    case changed
    /// More bytes were copied than the source has.
    case tooLong
    /// The kind of file is not known.
    case unknownKind
    /// A source file was given twice.
    case repeatedFile
    /// A source directory was given twice.
    case repeatedDirectory
    /// A copy that was read again differs from its source, which is the other path.
    case verification
    /// The destination seems to have less room than the sources take, both in bytes.
    case littleSpace(needed: Int64, free: Int64)
    /// The copy was told to stop before this was done.
    case stopped
    /// More files with several names are open than are kept track of.
    case tooManyLinks
  }

  /// What was tried or found.
  public let problem: Problem
  /// The path that the problem is about.
  public let path: FilePath
  /// The other path, where a problem is about two.
  public let other: FilePath?
  /// What the kernel answered, where it was asked.
  public let error: Errno?

  init(_ problem: Problem, _ path: FilePath, other: FilePath? = nil, _ error: Errno? = nil) {
    self.problem = problem
    self.path = path
    self.other = other
    self.error = error
  }
}
