/// The kind of a problem, which chooses its wording.
///
/// Problems with the same meaning for a program differ only in their wording; see ``meaning``.
package enum CopyProblem: Sendable, Hashable {
  /// The status of a file could not be read.
  case status
  /// A directory could not be read.
  case readDirectory
  /// A file could not be opened for reading.
  case open
  /// A file could not be created or opened for writing.
  case createFile
  /// A temporary file could not be renamed.
  case rename
  /// A directory could not be created.
  case createDirectory
  /// A directory on the path of a source could not be created.
  case createParent
  /// A symbolic link could not be created.
  case createSymbolicLink
  /// A hard link could not be created; the other path is its target.
  case createHardLink
  /// A FIFO could not be created.
  case createFIFO
  /// A socket or device could not be created.
  case createSpecialFile
  /// A symbolic link could not be read.
  case readSymbolicLink
  /// A file could not be read.
  case read
  /// A file could not be written.
  case write
  /// A file could not be cloned; the other path is the source.
  case clone
  /// The kernel could not copy the contents; the other path is the destination.
  case copyBytes
  /// The size could not be set.
  case setSize
  /// A file could not be closed. Some file systems report failed writes only then.
  case close
  /// A file could not be flushed to disk.
  case synchronize
  /// An existing file could not be removed.
  case remove
  /// The owner or group could not be set.
  case setOwnership
  /// The permission bits could not be set.
  case setPermissions
  /// The times could not be set.
  case setTimes
  /// The names of extended attributes could not be read.
  case listAttributes
  /// The value of an extended attribute could not be read; the other path is its name.
  case readAttribute
  /// An extended attribute could not be set; the other path is its name.
  case setAttribute
  /// The destination cannot store some extended attributes of the source.
  case setAttributes
  /// The access control list of a source could not be read.
  case readPermissions
  /// The destination is not a directory, but must be one.
  case target
  /// The directory to copy into is not a directory.
  case targetDirectory

  /// The source and the destination are the same file.
  case sameFile
  /// An existing file could not be backed up.
  case backUp
  /// A symbolic link to a source could not be created; the other path is the source.
  case linkToSource

  /// A parent directory of a source could not be examined.
  case parentStatus
  /// The destination of a parent directory is not a directory.
  case noParentDirectory
  /// The destination must be a directory because of ``CopyOptions/Tree/keepsParents``.
  case parentsNeedDirectory
  /// An existing file is kept, as ``OverwriteRule/failing`` requested.
  case notReplacing
  /// A backup of the destination would replace the source, which is the other path.
  case backupIsSource
  /// A relative symbolic link is only possible in the current directory.
  case relativeLink
  /// A directory was given, but the copy is not recursive.
  case omittedDirectory
  /// A directory would be copied into itself; the other path is the destination.
  case intoItself
  /// A symbolic link points to a directory that contains it.
  case cycle
  /// A directory was met again, under another name; the other path is its copy.
  case linkToDirectory
  /// A directory cannot replace an existing non-directory; the other path is the directory.
  case existingNonDirectory
  /// A non-directory cannot replace an existing directory; the other path is the non-directory.
  case existingDirectory
  /// The destination was created by this copy; the other path is the second source.
  case justCreated
  /// The destination is a symbolic link created by this copy; the other path is the link.
  case throughJustCreatedLink
  /// The destination is a dangling symbolic link.
  case danglingLink
  /// The destination is an existing symbolic link inside the tree.
  case existingLink
  /// The source was replaced by another file before it was opened.
  case replaced
  /// The source was changed during the copy.
  case changed
  /// More bytes were read than the source has.
  case tooLong
  /// The file type is unknown.
  case unknownKind
  /// A source file was given twice.
  case repeatedFile
  /// A source directory was given twice.
  case repeatedDirectory
  /// The copy differs from its source, which is the other path.
  case verification
  /// The destination has probably too little free space; both values are in bytes.
  case littleSpace(needed: Int64, free: Int64)
  /// The process has as many open files as it may have, so that the copy was stopped.
  case tooManyOpenFiles(limit: Int)
  /// The copy was stopped before the file was complete.
  case stopped
  /// There are too many hard links to track.
  case tooManyLinks
  /// The list of the copied files could not be written.
  case manifest
  /// The earlier copy could not be opened.
  case earlierCopy

  /// The exact destination of a copy that removes entries is not a directory.
  case deletionNeedsDirectory
  /// A source is inside a directory from which entries would be removed, which is the other path.
  case sourceInDestination
  /// A source directory has no entries, and its copy would be emptied.
  case emptySource
  /// Several source directories have one destination from which entries would be removed.
  case mergedSources
  /// Several names of a source are one name of the destination.
  case mixedNames
  /// Nothing was removed from a directory, because not all names were read.
  case nothingRemoved
  /// Nothing was removed from a directory that is a mount point inside the destination.
  case removeInMount
  /// Nothing was removed from a directory, because the system does not report its mount.
  case removeInUnknownMount
  /// An existing entry of another kind than its source, which is the other path, was not removed
  /// completely.
  case keptEntry
  /// The entries to remove from a directory, with those that were removed before, exceed the limit.
  case removalLimit(Int, count: Int, before: Int)

  /// Two destinations, of which the other path is one, are the same.
  case repeatedDestination
  /// A destination is inside another one, which is the other path.
  case nestedDestination
  /// A destination is inside a source, which is the other path.
  case destinationInSource

  /// The report of a part of the copy could not be written or removed.
  case partReport
  /// No part of the copy has reported in the destination.
  case noParts
  /// Parts of copies with different numbers of parts have reported; both values are such numbers.
  case mixedParts(Int, Int)
  /// The part with an index has not reported.
  case missingPart(Int, of: Int)
  /// A source, which is the other path, has no copy after all parts.
  case missingCopy
  /// The copy of a source, which is the other path, has another type or length after all parts.
  case differentCopy
}
