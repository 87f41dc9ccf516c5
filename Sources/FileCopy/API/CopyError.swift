/// A problem of a copy: a failure or a warning.
public struct CopyError: Error, Sendable {
  /// The step of a copy in which a problem occurred.
  public enum Operation: Sendable, Hashable, CaseIterable {
    /// Examining the sources, the destination and existing files before a file is copied.
    case prepare
    /// Reading the status of a file.
    case readStatus
    /// Opening or reading a directory.
    case readDirectory
    /// Opening a source.
    case open
    /// Reading the contents of a source or the target of a symbolic link.
    case read
    /// Writing the contents of a copy, setting its size, or closing it.
    case write
    /// Copying or sharing contents inside the kernel, which concerns both files.
    case transfer
    /// Creating a file, directory, symbolic link or special file, or opening an existing file.
    case create
    /// Creating a link to a source or to an earlier copy.
    case link
    /// Renaming a complete temporary file to its final name.
    case rename
    /// Removing an existing file, or an entry that the source lacks.
    case remove
    /// Renaming an existing file to its backup.
    case backUp
    /// Reading the extended attributes or the access control lists of a source.
    case readMetadata
    /// Setting the owner, permissions, times or extended attributes of a copy.
    case setMetadata
    /// Flushing a copy to disk.
    case synchronize
    /// Comparing a copy with its source.
    case compare
  }

  /// The cause of a problem: the error of a system call, or a finding of the copier.
  public enum Reason: Sendable, Hashable {
    /// A system call failed.
    case system(SystemError)
    /// The source and the destination are the same file.
    case sameFile
    /// A directory was given, but the copy is not recursive.
    case notRecursive
    /// A directory would be copied into itself.
    case intoItself
    /// A symbolic link points to a directory that contains it.
    case cycle
    /// A source was given more than once, or a directory was met more than once.
    case repeatedSource
    /// The type of the source is unknown.
    case unknownFileType
    /// The destination is not a directory, but the options require one.
    case needsDirectory
    /// A relative symbolic link to a source is only possible in the working directory.
    case relativeLink
    /// The existing file is kept, as ``OverwriteRule/failing`` requested.
    case existingFile
    /// The existing file is a directory, and the source is not.
    case existingDirectory
    /// The existing file is not a directory, and the source is.
    case existingNonDirectory
    /// The existing file is a symbolic link, which the copier does not follow there.
    case existingLink
    /// This copy created the destination for another source.
    case justCreated
    /// A backup of the destination would replace the source.
    case backupIsSource
    /// The source was changed or replaced during the copy.
    case changed
    /// The copy differs from its source.
    case verificationFailed
    /// The destination has probably too little free space; both values are in bytes.
    case littleSpace(needed: Int64, free: Int64)
    /// There are too many hard links to track, so that the source is copied separately.
    case tooManyLinks
    /// The source is inside a directory from which entries would be removed.
    case sourceInDestination
    /// The source is a directory without entries, so that its copy would be emptied.
    case emptySource
    /// Several sources have one destination, so that the entries that they lack are unknown.
    case sharedDestination
    /// Two of several destinations are the same, or one of them is inside another one or a source.
    case overlappingDestinations
    /// The names in a directory could not all be read, so that nothing is removed from its copy.
    case incompleteListing
    /// More entries would be removed than the limit allows.
    case removalLimit(Int)
    /// Not all parts of the copy have reported (``CopyShard/finish``).
    case missingParts
    /// A source has no copy of its type and length after all parts.
    case missingCopy
  }

  /// The effect of a problem on the copy.
  public enum Severity: Sendable, Hashable {
    /// The copy is incomplete.
    case failure
    /// The copy can still be complete. Only the observer receives the problem.
    case warning
  }

  /// The problem that chooses the wording, and from which the operation and a finding follow.
  package let problem: CopyProblem
  /// The path of the file with the problem.
  public let path: BytePath
  /// The path of the other file, or the name of an extended attribute; nil if there is none.
  public let otherPath: BytePath?
  /// The cause of the problem.
  public let reason: Reason
  /// The effect of the problem on the copy.
  public private(set) var severity: Severity

  // Not inlined: the inlined code of a failure would retain paths in its callers, even where the
  // call succeeds.

  /// Creates the problem of a system call that failed.
  @inline(never)
  init(
    _ problem: CopyProblem,
    _ path: BytePath,
    other: BytePath? = nil,
    _ error: SystemError
  ) {
    self.init(problem, path, other, .system(error))
  }

  /// Creates a finding of the copier.
  @inline(never)
  init(_ finding: CopyProblem, _ path: BytePath, other: BytePath? = nil) {
    guard let reason = finding.meaning.finding else {
      stop(saying: "A system call that failed has an error.")
    }
    self.init(finding, path, other, reason)
  }

  private init(_ problem: CopyProblem, _ path: BytePath, _ other: BytePath?, _ reason: Reason) {
    self.problem = problem
    self.path = path
    otherPath = other
    self.reason = reason
    severity = problem.meaning.severity
  }

  /// The step of the copy in which the problem occurred.
  public var operation: Operation { problem.meaning.operation }

  /// The error of the system call, if one failed.
  package var error: SystemError? {
    if case .system(let error) = reason { error } else { nil }
  }

  /// The same problem as a warning.
  var asWarning: CopyError {
    var warning = self
    warning.severity = .warning
    return warning
  }

  /// Whether the earlier problem is this one, in the same words.
  func repeats(_ earlier: CopyError) -> Bool { problem == earlier.problem && self == earlier }
}

extension CopyError: Hashable {
  /// Whether both have the same operation, paths, reason and severity. Their texts can differ.
  public static func == (one: CopyError, other: CopyError) -> Bool {
    one.operation == other.operation && one.path == other.path
      && one.otherPath == other.otherPath && one.reason == other.reason
      && one.severity == other.severity
  }

  /// Feeds what makes problems equal into `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(operation)
    hasher.combine(path)
    hasher.combine(otherPath)
    hasher.combine(reason)
    hasher.combine(severity)
  }
}
