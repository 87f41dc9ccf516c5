import IOChannelsSystem

/// The filter of a copy as it applies to the names of one directory of a source.
struct FilterScope: Sendable {
  private var ignoredByGit = CopyFilter.IgnoredByGit.included
  /// The patterns of the options; nil if there are none.
  private var rules: RuleLayer?
  /// The patterns for git, those of inner directories last.
  private var gitRules: [RuleLayer] = []
  /// Whether git ignores the directory, and so all names in it.
  private var isInsideIgnored = false

  /// The maximum number of bytes of a file with patterns in a tree.
  private static let fileLimit = 1 << 20
  private static let repository: BytePath = ".git"

  /// Creates a scope that leaves out nothing.
  init() {}

  /// Creates the scope of a source, whose files with patterns are read if they count.
  init(_ filter: CopyFilter, at directory: BorrowedDescriptor) throws(RuleFileError) {
    ignoredByGit = filter.ignoredByGit
    if !filter.rules.rules.isEmpty { rules = RuleLayer(filter.rules) }
    if ignoredByGit == .included { return }
    let marker = try FilterScope.repositoryMarker(in: directory)
    try readGitRules(in: directory, marker)
  }

  /// Creates the scope of a source that cannot be read, so that no pattern counts.
  init(unread filter: CopyFilter) {
    ignoredByGit = filter.ignoredByGit
  }

  /// Whether the directory itself is not copied, and only leads to names that are.
  var isPassage: Bool { ignoredByGit == .only && !isInsideIgnored }

  /// Whether a name in the directory may be left out.
  var mayLeaveOut: Bool { rules != nil || ignoredByGit != .included }

  /// Whether a name in the directory is not copied.
  func leavesOut(_ name: BytePath, isDirectory: Bool) -> Bool {
    if isExcluded(name, isDirectory) { return true }
    switch ignoredByGit {
    case .included: return false
    case .excluded: return isIgnored(name, isDirectory)
    case .only:
      if isIgnored(name, isDirectory) { return false }
      // Other directories may contain ignored names.
      return !isDirectory || name == FilterScope.repository
    }
  }

  /// Whether an entry of the directory may be copied. A link counts as a directory too, because it
  /// may be followed.
  func mayCopy(_ entry: DirectoryEntry) -> Bool {
    switch entry.kind {
    case .directory: !leavesOut(entry.name, isDirectory: true)
    case .unknown, .symbolicLink:
      !leavesOut(entry.name, isDirectory: false) || !leavesOut(entry.name, isDirectory: true)
    default: !leavesOut(entry.name, isDirectory: false)
    }
  }

  /// Whether a name that only the destination has is kept by a copy that removes such names.
  ///
  /// These are the names that the filter excludes. If only names that git ignores are copied, they
  /// are all others. A directory that is not kept may contain names that are kept; the scope for
  /// them is that of ``entering(_:_:)``, which is nil if all of them are kept.
  func keeps(_ name: BytePath, isDirectory: Bool) -> Bool {
    if isExcluded(name, isDirectory) { return true }
    switch ignoredByGit {
    case .included: return false
    case .excluded: return isIgnored(name, isDirectory)
    case .only: return !isIgnored(name, isDirectory)
    }
  }

  /// Returns the scope of a directory with this name; nil if it is a repository that is left out.
  ///
  /// Files with patterns are read in `directory`, which is open.
  func entering(
    _ name: BytePath,
    _ directory: BorrowedDescriptor
  ) throws(RuleFileError) -> FilterScope? {
    var inner = self
    inner.rules = rules?.entering(name)
    if ignoredByGit == .included { return inner }
    inner.gitRules = []
    if ignoredByGit == .excluded && name == FilterScope.repository {
      // No pattern applies to the files of git itself.
      inner.ignoredByGit = .included
      return inner
    }
    inner.isInsideIgnored = isIgnored(name, true)
    let marker = try FilterScope.repositoryMarker(in: directory)
    // Two work trees must not share a repository by a copied file. A clone in an ignored directory
    // is a dependency.
    if ignoredByGit == .only, let marker, marker != .directory || !inner.isInsideIgnored {
      return nil
    }
    if inner.isInsideIgnored { return inner }
    if marker == nil { inner.gitRules = gitRules.map { $0.entering(name) } }
    try inner.readGitRules(in: directory, marker)
    return inner
  }

  /// Returns the scope of a directory with this name that cannot be read.
  ///
  /// It only states whether the directory itself is copied.
  func enteringUnread(_ name: BytePath) -> FilterScope {
    var inner = self
    inner.isInsideIgnored = isIgnored(name, true)
    return inner
  }

  private func isExcluded(_ name: BytePath, _ isDirectory: Bool) -> Bool {
    rules?.excludes(name, isDirectory: isDirectory) ?? false
  }

  private func isIgnored(_ name: BytePath, _ isDirectory: Bool) -> Bool {
    if isInsideIgnored { return true }
    if name == FilterScope.repository { return false }
    // A pattern of the options that includes the name takes precedence.
    if ignoredByGit == .excluded, rules?.excludes(name, isDirectory: isDirectory) == false {
      return false
    }
    for layer in gitRules.reversed() {
      if let isExcluded = layer.excludes(name, isDirectory: isDirectory) { return isExcluded }
    }
    return false
  }
}

/// A file with patterns that cannot be read.
struct RuleFileError: Error {
  /// The path in its directory.
  let path: BytePath
  let error: SystemError
}

/// The files with patterns.
extension FilterScope {
  /// Returns the kind of the entry that marks a work tree of git; nil if there is none.
  ///
  /// It is a file in linked work trees and in submodules, otherwise the repository. A directory
  /// that git does not take for a repository is none.
  private static func repositoryMarker(
    in directory: BorrowedDescriptor
  ) throws(RuleFileError) -> FileKind? {
    do throws(SystemError) {
      let kind = try directory.status(of: repository).kind
      let isMarker = kind != .directory || GitRepository.isValid(repository, in: directory)
      return isMarker ? kind : nil
    } catch {
      if error == .noSuchFileOrDirectory { return nil }
      throw RuleFileError(path: repository, error: error)
    }
  }

  /// Appends the patterns in a directory.
  private mutating func readGitRules(
    in directory: BorrowedDescriptor,
    _ marker: FileKind?
  ) throws(RuleFileError) {
    if marker == .directory {
      try append(".git/info/exclude", try FilterScope.repositoryRules(in: directory))
    }
    try append(".gitignore", try FilterScope.list(in: ".gitignore", of: directory))
  }

  private mutating func append(
    _ path: BytePath,
    _ list: @autoclosure () throws(SystemError) -> RuleList?
  ) throws(RuleFileError) {
    do throws(SystemError) {
      guard let list = try list(), !list.rules.isEmpty else { return }
      gitRules.append(RuleLayer(list))
    } catch {
      throw RuleFileError(path: path, error: error)
    }
  }

  private static func repositoryRules(
    in directory: BorrowedDescriptor
  ) throws(SystemError) -> RuleList? {
    let flags: OpenFlags = [.path, .directory, .noFollow]
    do throws(SystemError) {
      let opened = try directory.open(repository, flags)
      let info = try opened.borrowed.open("info", flags)
      return try list(in: "exclude", of: info.borrowed)
    } catch {
      if error == .noSuchFileOrDirectory || error == .notDirectory { return nil }
      throw error
    }
  }

  /// Returns the patterns of a file; nil if there is no such regular file. A link is none.
  private static func list(
    in name: BytePath,
    of directory: BorrowedDescriptor
  ) throws(SystemError) -> RuleList? {
    do throws(SystemError) {
      let file = try directory.openRegular(name, [.noTerminal], following: false)
      guard try file.borrowed.status().kind == .regular else { return nil }
      return RuleList(ignoreFile: try file.borrowed.readToEnd(limit: fileLimit))
    } catch {
      if error == .noSuchFileOrDirectory { return nil }
      let kind = (try? directory.status(of: name))?.kind
      if let kind, kind != .regular { return nil }
      throw error
    }
  }
}
