import Synchronization
import IOChannelsSystem

/// The open destination of a regular file.
struct CopyTarget: ~Copyable {
  /// The name under which the file can be found until it is complete.
  enum Name {
    /// Its final one, which this copy made.
    case final(BytePath)
    /// A hidden one.
    case temporary(BytePath)
    /// None.
    case unnamed
    /// Its own from before the copy.
    case kept
  }

  /// The file, to be used until it is closed.
  let file: BorrowedDescriptor
  private var descriptor: OwnedDescriptor?
  var name: Name
  /// The file as it was before, when it is overwritten.
  let existing: FileStatus?
  /// Keeps others from writing to that file meanwhile.
  private let turn: OverwrittenFiles.Turn?
  /// Whether the file takes the place of what has its name.
  var replaces = false
  /// The regular file whose place it takes.
  var replaced: FileStatus?
  /// Whether that file has an access list, or may have one.
  var replacedHasList = false
  /// Whether a file without a name got a hidden one, which could not become its final one.
  var wasLinked = false
  /// Whether the file was created with its mode, because the file system sets none later.
  var keepsMode = false

  /// A new file.
  init(_ file: consuming OwnedDescriptor, _ name: Name) {
    self.file = file.borrowed
    descriptor = consume file
    self.name = name
    existing = nil
    turn = nil
  }

  /// A file that is overwritten.
  init(
    _ file: consuming OwnedDescriptor,
    existing: FileStatus,
    _ turn: consuming OverwrittenFiles.Turn
  ) {
    self.file = file.borrowed
    descriptor = consume file
    name = .kept
    self.existing = existing
    self.turn = consume turn
  }

  /// Closes the file, which is where some file systems report a failed write.
  mutating func close() throws(SystemError) {
    try descriptor.take()?.close()
  }
}

extension CopySession {
  /// Makes the destination of a file, or opens the one that is there.
  func openTarget(
    _ job: FileJob,
    _ appearance: CopyPlan.Appearance,
    source: FileStatus,
    in pair: DirectoryPair
  ) throws(CopyError) -> CopyTarget {
    let name = job.destinationName
    if options.isAtomic && options.copiesBytes,
      let target = try openReplacement(job, source: source, in: pair)
    {
      return target
    }
    let mode = creationMode(for: source, in: job.directory)
    var appearance = appearance
    // In a directory that this copy made there is nothing to find.
    if appearance == .atOnce, job.isUnseen || isMissing(name, in: pair) {
      if job.way != .inPlace, let target = try openAtOnce(job, mode, in: pair) { return target }
      appearance = .inPlace
    }
    if appearance == .inPlace, let target = try openNew(job, mode, in: pair) { return target }
    if job.isFree { throw CopyError(.createFile, job.destinationPath, .fileExists) }
    let existing: FileStatus
    do throws(CopyError) {
      existing = try self.existing(job, source: source, in: pair)
    } catch {
      // A chain of links without an end is in the way like any file that cannot be opened.
      guard options.removesAfterFailedOpen, error.error == .tooManySymbolicLinkLevels else {
        throw error
      }
      try remove(job, in: pair)
      guard let target = try openNew(job, mode, in: pair) else { throw error }
      return target
    }
    if options.preserved.contains(.links) && existing.links > 1 && options.copiesBytes {
      // Writing to it would change the file under its other names too.
      try remove(job, in: pair)
      if let target = try openNew(job, mode, in: pair) { return target }
    }
    do throws(CopyError) {
      return try open(existing, job, source: source, in: pair)
    } catch {
      guard options.removesAfterFailedOpen else { throw error }
      try remove(job, in: pair)
      guard let target = try openNew(job, mode, in: pair) else { throw error }
      return target
    }
  }

  /// How a destination is opened: what is verified has to be read.
  var writing: OpenFlags { options.verifies ? .readWrite : .writeOnly }

  func isMissing(_ name: BytePath, in pair: DirectoryPair) -> Bool {
    do throws(SystemError) {
      _ = try pair.destination.status(of: name)
      return false
    } catch {
      return error == .noSuchFileOrDirectory
    }
  }

  /// Makes a file under its final name, nil when the name is taken.
  private func openNew(
    _ job: FileJob,
    _ mode: UInt32,
    in pair: DirectoryPair
  ) throws(CopyError) -> CopyTarget? {
    do throws(SystemError) {
      let name = job.destinationName
      let flags = writing.union([.create, .exclusive, .noFollow])
      return try create(name, flags, as: .final(name), job, mode, in: pair)
    } catch .fileExists {
      return nil
    } catch {
      // A name with a slash behind it can only be a directory's.
      throw CopyError(
        .createFile,
        job.destinationPath,
        error == .isDirectory ? .notDirectory : error
      )
    }
  }

  /// What has the destination's name, if it may be written to.
  func existing(
    _ job: FileJob,
    source: FileStatus,
    in pair: DirectoryPair
  ) throws(CopyError) -> FileStatus {
    let found: FileStatus
    do throws(SystemError) {
      found = try pair.destination.status(of: job.destinationName, following: job.writesThrough)
    } catch .noSuchFileOrDirectory where job.writesThrough {
      throw CopyError(.danglingLink, job.destinationPath)
    } catch {
      throw CopyError(.createFile, job.destinationPath, error)
    }
    if found.identity == source.identity {
      throw CopyError(.sameFile, job.sourcePath, other: job.destinationPath)
    }
    switch found.kind {
    case .regular: return found
    case .directory: throw CopyError(.existingDirectory, job.destinationPath)
    case .symbolicLink: throw CopyError(.existingLink, job.destinationPath)
    default:
      if job.writesThrough { return found }
      throw CopyError(.createFile, job.destinationPath, .fileExists)
    }
  }

  /// Opens the very file that was looked at, and waits until no other name's copy is written to it.
  private func open(
    _ existing: FileStatus,
    _ job: FileJob,
    source: FileStatus,
    in pair: DirectoryPair
  ) throws(CopyError) -> CopyTarget {
    let access = existing.kind == .regular ? writing : .writeOnly
    let flags = access.union(.noTerminal)
    do throws(SystemError) {
      let file =
        job.writesThrough
        ? try pair.destination.open(job.destinationName, flags)
        : try pair.destination.openRegular(job.destinationName, flags, following: false)
      let opened = try file.borrowed.status()
      if opened.identity != existing.identity {
        let now = try pair.destination.status(
          of: job.destinationName,
          following: job.writesThrough
        )
        guard now.identity == opened.identity, opened.identity != source.identity,
          opened.isCopiedUp(from: existing)
        else { throw .staleFileHandle }
      }
      let turn = overwritten.begin(opened.identity)
      let status = try file.borrowed.status()
      return CopyTarget(file, existing: status, turn)
    } catch {
      throw CopyError(.createFile, job.destinationPath, error)
    }
  }

  /// Removes what is in the way and says so.
  func remove(_ job: FileJob, in pair: DirectoryPair) throws(CopyError) {
    do throws(SystemError) {
      if !options.isDryRun { try pair.destination.remove(job.destinationName) }
      announceRemoval(job)
    } catch .noSuchFileOrDirectory {
      // Somebody else was faster.
    } catch {
      throw CopyError(.remove, job.destinationPath, error)
    }
  }

  /// Cuts off what an overwritten file had more than its source.
  func finishLength(
    of target: borrowing CopyTarget,
    _ count: Int64,
    _ job: FileJob
  ) throws(CopyError) {
    guard let existing = target.existing, existing.kind == .regular, existing.size > count
    else { return }
    do throws(SystemError) {
      try target.file.setSize(count)
    } catch {
      throw CopyError(.setSize, job.destinationPath, error)
    }
  }

  /// Closes and removes what was made of a file that could not be completed.
  ///
  /// Some file systems rename an open file that is removed, which may be refused.
  func discard(_ target: inout CopyTarget, in pair: DirectoryPair) {
    try? target.close()
    switch target.name {
    case .final(let name), .temporary(let name): try? pair.destination.remove(name)
    case .unnamed, .kept: break
    }
  }
}

extension FileStatus {
  /// Whether a file is what overlayfs made of one of a lower layer, as that was opened to be
  /// written: another file with the same description, and without other names.
  fileprivate func isCopiedUp(from lower: FileStatus) -> Bool {
    hasSameContent(as: lower) && mode == lower.mode && owner == lower.owner
      && group == lower.group && links <= 1
  }
}

extension FilePair {
  /// Empties a destination that holes are to be made in.
  func empty() throws(DataFailure) {
    do throws(SystemError) {
      try destination.setSize(0)
    } catch {
      throw DataFailure(side: .resizing, error: error)
    }
  }

  /// Empties the destination and sets both positions to the start, after a method that has failed.
  ///
  /// A search for holes moves the source's position.
  ///
  /// - Returns: False where a file has no position or cannot be emptied.
  func restart() -> Bool {
    do throws(SystemError) {
      try source.setPosition(0)
      try destination.setPosition(0)
      try destination.setSize(0)
      return true
    } catch {
      return false
    }
  }
}
