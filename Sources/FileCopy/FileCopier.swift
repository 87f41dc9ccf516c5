/// Copies files and trees, on the calling thread and on others beside it.
///
/// A copier can be used for many copies, also at the same time.
public struct FileCopier: Sendable {
  private let options: CopyOptions

  /// Makes a copier.
  ///
  /// - Precondition: `options.jobs` is nil or at least 1.
  public init(_ options: CopyOptions = CopyOptions()) {
    requireUse(options.jobs.map { $0 >= 1 } ?? true, "A copy needs at least one job.", "S174")
    self.options = options
  }

  /// Copies one source on the calling thread and others; blocks until everything is done.
  ///
  /// Failures are in the report; what can be copied in spite of them is copied. The monitor looks
  /// at this copy alone. A task awaits `copy` instead.
  @available(*, noasync, message: "In a task write 'try await copier.copy(…)'")
  @discardableResult
  public func copyAndWait(
    from source: FilePath,
    to destination: FilePath,
    placing placement: CopyPlacement = .automatic,
    monitor: CopyMonitor = CopyMonitor()
  ) -> CopyReport {
    copyAndWait(from: [source], to: destination, placing: placement, monitor: monitor)
  }

  /// Copies sources in their order; blocks the calling thread until everything is done.
  ///
  /// Several sources need a destination that is a directory.
  ///
  /// - Precondition: With ``CopyPlacement/exactly`` there is one source.
  @available(*, noasync, message: "In a task write 'try await copier.copy(…)'")
  @discardableResult
  public func copyAndWait(
    from sources: [FilePath],
    to destination: FilePath,
    placing placement: CopyPlacement = .automatic,
    monitor: CopyMonitor = CopyMonitor()
  ) -> CopyReport {
    requireUse(
      placement != .exactly || sources.count == 1,
      "Only one source can get one exact name.",
      "S174"
    )
    var (options, destination) = (options, destination)
    if sources == [destination], placement != .intoDirectory {
      options.backUpInstead(of: &destination)
    }
    let processors = ProcessorCount.usable
    let jobs = HeldDirectories.jobs(
      options.jobs ?? CopyOptions.jobs(processors: processors),
      descriptorLimit: ProcessLimits.descriptors
    )
    let pace = options.jobs == nil ? JobPace(processors: processors, most: jobs) : nil
    let session = CopySession(options, jobs: jobs, monitor: monitor)
    let run = CopyRun(session: session, jobs: jobs, pace: pace)
    return run.copy(sources, to: destination, placement)
  }
}

extension CopyOptions {
  /// Makes of a copy of a file onto itself a copy under the name of its backup, where backups are
  /// wished and a refusal is not.
  fileprivate mutating func backUpInstead(of destination: inout FilePath) {
    guard let naming = backup, removesAfterFailedOpen,
      (try? BorrowedDescriptor.workingDirectory.status(of: destination, following: true))?.kind
        == .regular
    else { return }
    let (directory, name) = OperandNames.split(destination)
    let names = BackupNames(naming: naming, name: name)
    var highest: Int?
    if names.dependsOnOthers,
      let place = try? BorrowedDescriptor.workingDirectory.open(
        directory.isEmpty ? "." : directory,
        [.path, .directory]
      )
    {
      highest = (try? names.highestNumber(in: place.borrowed)) ?? nil
    }
    let backup = names.nextNumber(highest: highest).map(names.numbered) ?? names.simple
    destination = FilePath(bytes: directory.bytes + backup.bytes)
    self.backup = nil
  }
}
