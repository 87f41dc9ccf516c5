import IOChannelsSystem

/// Counts what the sources of a copy hold, without opening a file.
///
/// One directory is open at a time: the way back up goes through `..`, and where that leads
/// elsewhere, because somebody moves directories about, the count goes on without the rest. So
/// neither depth nor length of paths is limited. Links below the sources are not followed.
struct SourceCount: ~Copyable {
  /// What was found.
  struct Found: Equatable {
    var files = 0
    var bytes: Int64 = 0
    /// What is allocated for them.
    var allocated: Int64 = 0
    /// The part of it that belongs to files which are too small to share blocks.
    var allocatedBySmall: Int64 = 0
  }

  /// A directory that is being counted.
  private struct Level {
    var identity: FileIdentity
    /// Where its names go on, nil when all were read.
    var position: Int64?
    /// Directories in it that were read and not entered yet.
    var waiting: [BytePath] = []
  }

  private let options: CopyOptions
  private let goesOn: () -> Bool
  private let tell: (Found) -> Void
  private var reader = DirectoryReader()
  private(set) var isExact = true

  /// Makes a count.
  ///
  /// - Parameters:
  ///   - options: The options of the copy.
  ///   - goesOn: Whether anybody still wants to know.
  ///   - tell: Takes what was found since it was called last.
  init(
    _ options: CopyOptions,
    while goesOn: @escaping () -> Bool,
    tell: @escaping (Found) -> Void
  ) {
    self.options = options
    self.goesOn = goesOn
    self.tell = tell
  }

  /// Counts one source; what cannot be looked at counts nothing.
  mutating func count(_ source: BytePath, from directory: BorrowedDescriptor) {
    let follows = options.following != .nothing
    guard let status = try? directory.status(of: source, following: follows) else { return }
    guard status.kind == .directory else { return tell(found(status)) }
    guard options.isRecursive else { return }
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
    var levels = [Level(identity: identity, position: 0)]
    while goesOn(), var level = levels.popLast() {
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
      if options.staysOnFileSystem,
        (try? current.borrowed.status(of: name))?.identity.device != device
      {
        continue
      }
      // A directory that cannot be entered is the copy's business to report.
      guard let inner = try? current.borrowed.open(name, [.directory, .noFollow, .nonBlocking])
      else { continue }
      current = inner
      levels.append(Level(identity: try current.borrowed.status().identity, position: 0))
    }
    // The way to the end of the tree is the return above.
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
      switch entry.kind {
      case .directory: level.waiting.append(entry.name)
      case .regular, .unknown:
        guard let status = try? directory.status(of: entry.name) else { continue }
        if status.kind == .directory {
          level.waiting.append(entry.name)
        } else {
          let file = found(status)
          sum.files += 1
          sum.bytes.grow(by: file.bytes)
          sum.allocated.grow(by: file.allocated)
          sum.allocatedBySmall.grow(by: file.allocatedBySmall)
        }
      default: sum.files += 1
      }
    }
    tell(sum)
  }

  private func found(_ status: FileStatus) -> Found {
    guard status.kind == .regular, options.copiesBytes, options.product == .copies else {
      return Found(files: 1)
    }
    // Each name of a file that is copied once counts for its share.
    let names = options.preserved.contains(.links) ? Int64(clamping: max(status.links, 1)) : 1
    let allocated = status.allocatedBytes / names
    let isSmall = status.size <= Int64(CopyPlan.oneShotLimit)
    return Found(
      files: 1,
      bytes: status.size / names,
      allocated: allocated,
      allocatedBySmall: isSmall ? allocated : 0
    )
  }
}
