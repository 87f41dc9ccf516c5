import IOChannelsSystem

/// A name that a thread copies, with the open directories on both sides.
struct CopyItem {
  var job: FileJob
  let pair: DirectoryPair
  let worker: CopyWorker

  init(_ job: FileJob, in pair: DirectoryPair, _ worker: CopyWorker) {
    self.job = job
    self.pair = pair
    self.worker = worker
  }

  /// Creates the item of a directory itself, which has no name of its own.
  init(itself directory: CopyDirectory, in pair: DirectoryPair, _ worker: CopyWorker) {
    let name = FileJob.noName
    let job = FileJob(directory: directory, sourceName: name, destinationName: name)
    self.init(job, in: pair, worker)
  }

  var context: CopyContext { worker.context }
  /// The directory that contains the name.
  var directory: CopyDirectory { job.directory }
  var sourcePath: BytePath { job.sourcePath }
  var destinationPath: BytePath { job.destinationPath }
  /// The path of the copy below the directory that the sources are copied into.
  var pathInCopy: BytePath { job.directory.pathInCopy(job.destinationName) }
  /// The changes of the destination directory that only this user can make.
  ///
  /// An entry that was created or found before was so under this control.
  var control: DirectoryControl {
    directory.control.current(of: pair.destination, context.releases)
  }
  /// The file system of the destination directory.
  var destinationSystem: KnownFileSystem { job.directory.systems.destination }

  /// Returns the file systems of a source file, by its device, and of the destination directory.
  ///
  /// A file may be a mount point, or be named with another path than its directory.
  func systems(ofDevice device: UInt64) -> FileSystemPair {
    let known = directory.systems
    return known.source.device == device
      ? known : context.systems.pair(device, known.destination.device)
  }
}

/// The source.
extension CopyItem {
  /// Returns the status of the source.
  func sourceStatus() throws(CopyError) -> FileStatus {
    try attempt(
      .status,
      sourcePath,
      try pair.source.status(of: job.sourceName, following: job.followsSource)
    )
  }

  /// Opens the source to read its contents, without waiting for anything.
  ///
  /// With `acceptsNodes` it may be a regular file that a library such as fakeroot presents as a
  /// device, although its directory lists a regular file.
  ///
  /// - Throws: ``CopyProblem/replaced`` where the name has another file than before.
  func openSource(acceptsNodes: Bool = false) throws(CopyError) -> SourceFile {
    let descriptor = try sourceDescriptor()
    let file = descriptor.borrowed
    let status = try attempt(.status, sourcePath, try file.status())
    let isAsExpected = job.expected.map { $0 == status.identity } ?? true
    var isAccepted = job.readsAnything || status.kind == .regular
    if !isAccepted && acceptsNodes { isAccepted = (try? file.fileKind()) == .regular }
    guard isAsExpected, isAccepted else { throw CopyError(.replaced, sourcePath) }
    return SourceFile(descriptor, status)
  }

  /// Refuses a source that can be read only once, if several destinations need its bytes.
  ///
  /// It is not opened, because a FIFO may have no writer.
  func checkReads(of kind: FileKind) throws(CopyError) {
    if context.shared != nil && (kind == .fifo || kind == .characterDevice) {
      throw CopyError(.open, sourcePath, .illegalSeek)
    }
  }

  private func sourceDescriptor() throws(CopyError) -> OwnedDescriptor {
    let flags: OpenFlags = [.noTerminal]
    let follows = job.followsSource
    do throws(SystemError) {
      return job.readsAnything
        ? try pair.source.open(job.sourceName, follows ? flags : flags.union(.noFollow))
        : try pair.source.openRegular(job.sourceName, flags, following: follows)
    } catch {
      switch error {
      case .noSuchFileOrDirectory where !job.readsAnything:
        throw CopyError(.status, sourcePath, error)
      case .tooManySymbolicLinkLevels where !follows: throw CopyError(.replaced, sourcePath)
      default: throw CopyError(.open, sourcePath, error)
      }
    }
  }
}

/// An open source file and its status when it was opened.
struct SourceFile: ~Copyable {
  let file: BorrowedDescriptor
  let status: FileStatus
  private let descriptor: OwnedDescriptor

  init(_ descriptor: consuming OwnedDescriptor, _ status: FileStatus) {
    file = descriptor.borrowed
    self.descriptor = descriptor
    self.status = status
  }
}

/// The existing file of the destination.
extension CopyItem {
  /// Whether no file has the destination's name.
  var isMissing: Bool { lookupError(following: false) == .noSuchFileOrDirectory }

  /// Whether the destination's name is missing, or is a symbolic link whose target is missing.
  var leadsNowhere: Bool { lookupError(following: true) == .noSuchFileOrDirectory }

  /// Whether the destination's name is a symbolic link in a cycle of links.
  var leadsInCircles: Bool { lookupError(following: true) == .tooManySymbolicLinkLevels }

  /// Returns the error of the destination's name; nil if it has a file.
  private func lookupError(following: Bool) -> SystemError? {
    do throws(SystemError) {
      _ = try pair.destination.status(of: job.destinationName, following: following)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the status of the existing file, if the copy may be written to it.
  func existingFile(for source: FileStatus) throws(CopyError) -> FileStatus {
    let found: FileStatus
    do throws(SystemError) {
      found = try pair.destination.status(of: job.destinationName, following: job.writesThrough)
    } catch .noSuchFileOrDirectory where job.writesThrough {
      throw CopyError(.danglingLink, destinationPath)
    } catch {
      throw CopyError(.createFile, destinationPath, error)
    }
    if found.identity == source.identity {
      throw CopyError(.sameFile, sourcePath, other: destinationPath)
    }
    switch found.kind {
    case .regular: return found
    case .directory: throw existingDirectoryError
    case .symbolicLink:
      throw CopyError(leadsNowhere ? .danglingLink : .existingLink, destinationPath)
    default:
      if job.writesThrough { return found }
      throw CopyError(.createFile, destinationPath, .fileExists)
    }
  }

  /// Whether the missing target of an existing link is created.
  var createsLinkTarget: Bool {
    job.writesThrough && context.options.existing.createsLinkTargets
  }

  /// The error of a file that cannot replace an existing directory.
  var existingDirectoryError: CopyError {
    CopyError(.existingDirectory, destinationPath, other: sourcePath)
  }

  /// Whether a file that has the destination's name, although none was expected, may be overwritten
  /// or replaced.
  ///
  /// In a directory that this copy created, such a file is kept and is a failure, as with cp. Only
  /// a directory is used, and the names of a file with several hard links are replaced, since they
  /// must remain names of one file.
  func mayTake(links: UInt64) -> Bool {
    if !job.isFree { return true }
    return links > 1 && ContestedNames.isForeign(job.destinationName, in: pair.destination)
  }

  /// Whether an existing file is a directory, or a link that is used as one.
  func servesAsDirectory(_ found: FileStatus) -> Bool {
    if found.kind == .directory { return true }
    return context.options.tree.keepsDirectoryLinks && found.kind == .symbolicLink
      && (try? pair.destination.status(of: job.destinationName, following: true))?.kind
        == .directory
  }
}
