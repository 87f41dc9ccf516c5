import IOChannelsSystem

/// A count of the files and bytes in the sources of a copy, which opens directories, and block
/// devices for their size.
///
/// Only one directory is open at a time, and its parent is opened through `..`. So the depth and
/// the length of paths are unlimited. If another process moves a directory, `..` may lead
/// elsewhere, and the rest of that source is not counted. Symbolic links below the sources are not
/// followed.
struct SourceCount: ~Copyable {
  /// The totals of counted files.
  struct Found: Equatable {
    var files = 0
    var bytes: Int64 = 0
    /// The number of allocated bytes.
    var allocated: Int64 = 0
    /// The allocated bytes of files that are too small to share blocks.
    var allocatedBySmall: Int64 = 0
  }

  /// A directory that is being counted.
  private struct Level {
    var identity: FileIdentity
    /// The position of the next unread name; nil after the last one.
    var position: Int64?
    /// The subdirectories whose names were read, but which are not counted yet.
    var waiting: [BytePath] = []
    let scope: FilterScope
  }

  private let options: CopyOptions
  private let shouldContinue: () -> Bool
  private let report: (Found) -> Void
  private var reader = DirectoryReader()
  /// Whether every count ran to its end and all lengths are known.
  private(set) var isExact = true

  /// Creates a count.
  ///
  /// - Parameters:
  ///   - options: The options of the copy.
  ///   - shouldContinue: Whether to continue. The count ends early if it returns false.
  ///   - report: Receives the totals since its previous call.
  init(
    _ options: CopyOptions,
    while shouldContinue: @escaping () -> Bool,
    report: @escaping (Found) -> Void
  ) {
    self.options = options
    self.shouldContinue = shouldContinue
    self.report = report
  }

  /// Counts one source. A source whose status cannot be read counts as nothing.
  mutating func count(_ source: BytePath, from directory: BorrowedDescriptor) {
    let follows = options.tree.following != .nothing
    guard let status = try? directory.status(of: source, following: follows) else { return }
    guard status.kind == .directory else {
      let file = found(status, source, in: directory)
      return report(file)
    }
    guard options.tree.isRecursive else { return }
    do throws(SystemError) {
      try walk(try directory.open(source, [.directory, .nonBlocking]))
    } catch {
      isExact = false
    }
  }

  private mutating func walk(_ top: consuming OwnedDescriptor) throws(SystemError) {
    var current = top
    let identity = try current.borrowed.status().identity
    let device = identity.device
    // The copy itself reports files with patterns that cannot be read.
    guard let scope = try? FilterScope(options.tree.filter, at: current.borrowed) else {
      isExact = false
      return
    }
    var levels = [Level(identity: identity, position: 0, scope: scope)]
    while shouldContinue(), var level = levels.popLast() {
      if level.waiting.isEmpty {
        try read(current.borrowed, &level)
        if level.waiting.isEmpty && level.position == nil {
          guard let parent = levels.last else { return }
          current = try current.borrowed.open("..", [.directory])
          if try current.borrowed.status().identity != parent.identity {
            throw .staleFileHandle
          }
          continue
        }
      }
      guard let name = level.waiting.popLast() else {
        levels.append(level)
        continue
      }
      levels.append(level)
      if options.tree.staysOnFileSystem,
        (try? current.borrowed.status(of: name))?.identity.device != device
      {
        continue
      }
      // The copy itself reports a directory that cannot be opened.
      guard let inner = try? current.borrowed.open(name, [.directory, .noFollow, .nonBlocking]),
        let scope = try? level.scope.entering(name, inner.borrowed)
      else { continue }
      current = inner
      let identity = try current.borrowed.status().identity
      levels.append(Level(identity: identity, position: 0, scope: scope))
    }
    // A complete walk returns above.
    isExact = false
  }

  private mutating func read(
    _ directory: BorrowedDescriptor,
    _ level: inout Level
  ) throws(SystemError) {
    guard let start = level.position else { return }
    try directory.seekDirectory(to: start)
    var entries: [DirectoryEntry] = []
    level.position = try reader.read(directory, into: &entries)
    var sum = Found()
    for entry in entries {
      if entry.kind == .directory {
        if level.scope.counts(entry.name, .directory) { level.waiting.append(entry.name) }
        continue
      }
      guard entry.kind == .unknown || level.scope.counts(entry.name, entry.kind) else { continue }
      guard mayHaveBytes(entry.kind) else {
        sum.files += 1
        continue
      }
      guard let status = try? directory.status(of: entry.name),
        entry.kind != .unknown || level.scope.counts(entry.name, status.kind)
      else { continue }
      if status.kind == .directory {
        level.waiting.append(entry.name)
        continue
      }
      let file = found(status, entry.name, in: directory)
      sum.files += 1
      sum.bytes.grow(by: file.bytes)
      sum.allocated.grow(by: file.allocated)
      sum.allocatedBySmall.grow(by: file.allocatedBySmall)
    }
    report(sum)
  }

  /// Whether the contents of a file of this kind may be copied.
  private func mayHaveBytes(_ kind: FileKind) -> Bool {
    switch kind {
    case .regular, .unknown: true
    case .fifo, .characterDevice, .blockDevice:
      !options.tree.isRecursive || options.tree.readsSpecialFiles
    case .directory, .symbolicLink, .socket: false
    }
  }

  private mutating func found(
    _ status: FileStatus,
    _ name: BytePath,
    in directory: BorrowedDescriptor
  ) -> Found {
    guard options.contents.copiesBytes, options.tree.product == .copies, mayHaveBytes(status.kind)
    else { return Found(files: 1) }
    if status.kind == .regular { return regular(status) }
    // A FIFO or character device has no length.
    guard status.kind == .blockDevice,
      let device = try? directory.open(name, [.nonBlocking, .noTerminal]),
      let size = try? device.borrowed.deviceSize()
    else {
      isExact = false
      return Found(files: 1)
    }
    return Found(files: 1, bytes: size)
  }

  /// Returns the bytes of a name of a regular file that are counted.
  ///
  /// If a file with several names is copied once, each name counts for its share of the bytes.
  static func bytes(of status: FileStatus, _ options: CopyOptions) -> Int64 {
    guard status.kind == .regular, options.contents.copiesBytes, options.tree.product == .copies
    else { return 0 }
    return status.size / names(of: status, options)
  }

  private static func names(of status: FileStatus, _ options: CopyOptions) -> Int64 {
    options.metadata.preserved.contains(.links) ? Int64(clamping: max(status.links, 1)) : 1
  }

  private func regular(_ status: FileStatus) -> Found {
    let allocated = status.allocatedBytes / SourceCount.names(of: status, options)
    let isSmall = status.size <= Int64(CopyPlan.oneShotLimit)
    return Found(
      files: 1,
      bytes: SourceCount.bytes(of: status, options),
      allocated: allocated,
      allocatedBySmall: isSmall ? allocated : 0
    )
  }
}

extension FilterScope {
  /// Whether a name of some kind is copied.
  fileprivate func counts(_ name: BytePath, _ kind: FileKind) -> Bool {
    !leavesOut(name, isDirectory: kind == .directory)
  }
}
