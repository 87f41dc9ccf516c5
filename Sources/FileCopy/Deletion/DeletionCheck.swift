import IOChannelsSystem

/// The examination of the operands of a copy that removes entries, before anything is changed.
///
/// It refuses operands whose entries could be lost: sources that the removal could meet, and
/// sources that look like the mount point of a disk that is not mounted.
struct DeletionCheck {
  /// A source and its destination.
  struct Operand {
    var source: BytePath
    /// The path of the destination, relative to the directory that the operands are copied into.
    var target: BytePath
    /// The path of the destination for messages.
    var path: BytePath
  }

  private let options: CopyOptions
  private let operands: [Operand]
  /// The directory that the operands are copied into, and the working directory.
  private let pair: DirectoryPair

  init(_ options: CopyOptions, _ operands: [Operand], in pair: DirectoryPair) {
    self.options = options
    self.operands = operands
    self.pair = pair
  }

  /// A source directory.
  private struct Directory {
    var operand: Operand
    var identity: FileIdentity
  }

  /// Refuses operands that could lose entries. With `isExact`, the only operand has the name of its
  /// copy.
  func run(isExact: Bool) throws(CopyError) {
    if isExact, let only = operands.first,
      let found = try? pair.destination.status(of: only.target), found.kind != .directory
    {
      throw CopyError(.deletionNeedsDirectory, only.path)
    }
    let directories = sourceDirectories
    try refuseShared(directories)
    try refuseNestedNames(directories)
    try refuseOverlaps(directories)
    try refuseOverlapsOfMounts(directories)
    if options.deletion.acceptsEmptySources { return }
    for directory in directories where isEmpty(directory.operand.source) {
      throw CopyError(.emptySource, directory.operand.source)
    }
  }

  /// The sources that are directories. The copy reports those that cannot be examined.
  private var sourceDirectories: [Directory] {
    let follows = options.tree.following != .nothing
    return operands.compactMap { operand in
      guard let found = try? pair.source.status(of: operand.source, following: follows),
        found.kind == .directory
      else { return nil }
      return Directory(operand: operand, identity: found.identity)
    }
  }

  /// Refuses two directories with one destination, each of which lacks the entries of the other.
  private func refuseShared(_ directories: [Directory]) throws(CopyError) {
    var targets: Set<BytePath> = []
    for directory in directories {
      let operand = directory.operand
      // The contents of a directory are copied beside the other operands.
      let isPlace =
        OperandNames.isDot(operand.target) && operands.count > 1 && !options.tree.keepsParents
      if isPlace || !targets.insert(operand.target).inserted {
        throw CopyError(.mergedSources, operand.path)
      }
    }
  }

  /// Refuses a source inside a destination, and a destination inside a source directory.
  private func refuseOverlaps(_ directories: [Directory]) throws(CopyError) {
    if directories.isEmpty { return }
    let around = try parents(of: ".", in: pair.destination, directories[0].operand.path)
    var targets: [FileIdentity: BytePath] = [:]
    for directory in directories {
      let operand = directory.operand
      if around.contains(directory.identity) {
        throw CopyError(.intoItself, operand.source, other: operand.path)
      }
      if let found = try? pair.destination.status(of: operand.target), found.kind == .directory {
        targets[found.identity] = operand.path
      }
    }
    if targets.isEmpty { return }
    let names = Set(directories.map(\.operand.source))
    var last: (directory: BytePath, parents: Set<FileIdentity>)?
    for operand in operands {
      let parent = OperandNames.split(operand.source).directory
      let directory: BytePath =
        names.contains(operand.source) ? operand.source : parent.isEmpty ? "." : parent
      if last?.directory != directory {
        last = (directory, try parents(of: directory, in: pair.source, operand.source))
      }
      for identity in last?.parents ?? [] {
        guard let path = targets[identity] else { continue }
        throw CopyError(.sourceInDestination, operand.source, other: path)
      }
    }
  }

  /// Returns a directory and all its parents.
  private func parents(
    of directory: BytePath,
    in base: BorrowedDescriptor,
    _ path: BytePath
  ) throws(CopyError) -> Set<FileIdentity> {
    try attempt(.status, path, try OperandOverlap.chain(from: directory, in: base))
  }

  /// Refuses a destination inside that of a source directory, which perhaps lacks it. With `..` a
  /// path may lead into any other destination.
  private func refuseNestedNames(_ directories: [Directory]) throws(CopyError) {
    if !options.tree.keepsParents || operands.count == 1 || directories.isEmpty { return }
    var tops: Set<[BytePath]> = []
    for operand in directories.map(\.operand) {
      if !tops.insert(DeletionCheck.names(on: operand.target)).inserted {
        throw CopyError(.mergedSources, operand.path)
      }
    }
    for operand in operands {
      let names = DeletionCheck.names(on: operand.target)
      let isNested = names.indices.contains(where: { tops.contains(Array(names[..<$0])) })
      if isNested || names.contains("..") { throw CopyError(.mergedSources, operand.path) }
    }
    try refuseNestedSpellings(directories)
  }

  /// Refuses a destination whose path leads through that of a source directory, which the file
  /// system shows under several spellings of its name.
  private func refuseNestedSpellings(_ directories: [Directory]) throws(CopyError) {
    let tops = Set(directories.compactMap { identity(of: $0.operand.target) })
    if tops.isEmpty { return }
    for operand in operands {
      var path = BytePath("")
      for name in DeletionCheck.names(on: operand.target).dropLast() {
        path = path.appending(name)
        guard let identity = identity(of: path) else { break }
        if tops.contains(identity) { throw CopyError(.mergedSources, operand.path) }
      }
    }
  }

  /// Returns the identity of an existing directory of the destination, or nil.
  private func identity(of path: BytePath) -> FileIdentity? {
    let found = try? pair.destination.status(of: path)
    return found.flatMap { $0.kind == .directory ? $0.identity : nil }
  }

  /// Returns the names on a path without those that stand for the directory itself.
  private static func names(on path: BytePath) -> [BytePath] {
    OperandNames.components(path).filter { $0 != "." }
  }

  /// Refuses sources and destinations that meet inside a file system, although the paths of their
  /// mounts do not.
  private func refuseOverlapsOfMounts(_ directories: [Directory]) throws(CopyError) {
    guard !directories.isEmpty, let table = MountTable.current() else { return }
    let place = position(of: ".", in: pair.destination, table)
    var targets: [MountTable.Position: BytePath] = [:]
    for operand in directories.map(\.operand) {
      guard let found = position(of: operand.target, in: pair.destination, table) else { continue }
      if targets.updateValue(operand.path, forKey: found) != nil {
        throw CopyError(.mergedSources, operand.path)
      }
    }
    for (target, path) in targets where target.parents.contains(where: { targets[$0] != nil }) {
      throw CopyError(.mergedSources, path)
    }
    try refuseFilesOfMounts(among: targets, directories, table)
    for operand in directories.map(\.operand) {
      let target = position(of: operand.target, in: pair.destination, table) ?? place
      let outer = Set(target?.enclosing ?? [])
      for shown in positions(shownIn: operand.source, table) {
        if let path = shown.enclosing.compactMap({ targets[$0] }).first {
          throw CopyError(.sourceInDestination, operand.source, other: path)
        }
        if outer.contains(shown) {
          throw CopyError(.intoItself, operand.source, other: operand.path)
        }
      }
    }
  }

  /// Refuses sources that are not directories, and are inside a destination.
  private func refuseFilesOfMounts(
    among targets: [MountTable.Position: BytePath],
    _ directories: [Directory],
    _ table: MountTable
  ) throws(CopyError) {
    if targets.isEmpty { return }
    let names = Set(directories.map(\.operand.source))
    var last: (directory: BytePath, target: BytePath?)?
    for operand in operands where !names.contains(operand.source) {
      let parent = OperandNames.split(operand.source).directory
      if last?.directory != parent {
        let name: BytePath = parent.isEmpty ? "." : parent
        let found = position(of: name, in: pair.source, following: true, table)
        last = (parent, found?.enclosing.compactMap { targets[$0] }.first)
      }
      if let target = last?.target {
        throw CopyError(.sourceInDestination, operand.source, other: target)
      }
    }
  }

  /// Returns the positions of a source directory and of the mounts in it that are copied.
  private func positions(shownIn source: BytePath, _ table: MountTable) -> [MountTable.Position] {
    guard let opened = try? pair.source.open(source, [.path, .directory]),
      let own = table.position(of: opened.borrowed)
    else { return [] }
    let fileSystem = options.tree.staysOnFileSystem ? own.fileSystem : nil
    return [own] + table.positions(inside: opened.borrowed, on: fileSystem)
  }

  /// Returns the position of an existing directory, or nil.
  private func position(
    of name: BytePath,
    in base: BorrowedDescriptor,
    following: Bool = false,
    _ table: MountTable
  ) -> MountTable.Position? {
    let flags: OpenFlags = following ? [.path, .directory] : [.path, .directory, .noFollow]
    guard let opened = try? base.open(name, flags) else { return nil }
    return table.position(of: opened.borrowed)
  }

  /// Whether a source directory has no entries but those that the filter leaves out.
  ///
  /// One that cannot be read has unknown entries.
  private func isEmpty(_ source: BytePath) -> Bool {
    guard let listing = try? pair.source.open(source, [.directory, .nonBlocking]),
      let scope = try? FilterScope(options.tree.filter, at: listing.borrowed)
    else { return false }
    var reader = DirectoryReader()
    while true {
      var names: [DirectoryEntry] = []
      do throws(SystemError) {
        let next = try reader.read(listing.borrowed, into: &names)
        if names.contains(where: scope.mayCopy) { return false }
        if next == nil { return true }
      } catch {
        return false
      }
    }
  }
}
