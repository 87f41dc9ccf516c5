/// A copier of files and directory trees, which uses several threads.
///
/// ```swift
/// let copier = FileCopier(.archive)
/// let report = try await copier.copy(from: "photos", to: "/backup/photos")
/// print(report.fileCount, "files copied")
/// ```
///
/// A copier may run several copies, one after another or at the same time.
public struct FileCopier: Sendable {
  private let options: CopyOptions

  /// Creates a copier with the given options.
  ///
  /// - Precondition: `options.jobs` is nil or at least 1. The limit of `options.deletion` is nil or
  ///   at least 0. A copy that removes entries has no backups and follows no links of the
  ///   destination. A copy that continues an interrupted one copies contents and creates no links
  ///   to its sources. A part of a copy is valid, removes no entries and has no backups.
  public init(_ options: CopyOptions = CopyOptions()) {
    requireUse(options.jobs.map { $0 >= 1 } ?? true, "A copy needs at least one job.", "S174")
    requireUse(
      options.deletion.limit.map { $0 >= 0 } ?? true,
      "A limit of removed entries is not negative.",
      "S174"
    )
    requireUse(
      !options.deletion.removesExtraneous
        || (options.existing.backup == nil && !options.tree.keepsDirectoryLinks),
      "A copy that removes entries has no backups and follows no links of the destination.",
      "S174"
    )
    // The time of the source, which shows that a file is complete, belongs only to its contents.
    requireUse(
      !options.existing.resumes
        || (options.contents.copiesBytes && options.tree.product == .copies),
      "A copy that continues an interrupted one copies contents.",
      "S174"
    )
    requireUse(
      options.shard?.isValid ?? true,
      "The index of a part is below the number of parts.",
      "S174"
    )
    requireUse(
      options.shard == nil
        || (options.existing.backup == nil && !options.deletion.removesExtraneous),
      "A part of a copy removes no entries and has no backups.",
      "S174"
    )
    self.options = options
  }

  /// Copies one source, and blocks the calling thread until the copy ends.
  ///
  /// The calling thread takes part in the copy. A failure does not stop the copy of other files
  /// unless ``CopyOptions/stopsAtFailure`` is set. In a task, await `copy` instead.
  ///
  /// - Parameters:
  ///   - source: The file or directory to copy.
  ///   - destination: The name of the copy, or a directory to copy into.
  ///   - placement: The interpretation of the destination.
  ///   - monitor: A monitor of no other copy, which observes and cancels this one.
  /// - Returns: The report of a complete copy.
  /// - Throws: ``CopyFailure`` if the copy is incomplete.
  @available(*, noasync, message: "In a task write 'try await copier.copy(…)'")
  @discardableResult
  public func copyAndWait(
    from source: some BytePathConvertible,
    to destination: some BytePathConvertible,
    placing placement: CopyPlacement = .automatic,
    monitor: CopyMonitor = CopyMonitor()
  ) throws(CopyFailure) -> CopyReport {
    try copyAndWait(from: [source], to: destination, placing: placement, monitor: monitor)
  }

  /// Copies several sources in order, and blocks the calling thread until the copy ends.
  ///
  /// With more than one source, the destination must be a directory.
  ///
  /// - Parameters:
  ///   - sources: The files and directories to copy.
  ///   - destination: The name of the copy, or the directory to copy into.
  ///   - placement: The interpretation of the destination.
  ///   - monitor: A monitor of no other copy, which observes and cancels this one.
  /// - Precondition: With ``CopyPlacement/exactly`` there is one source.
  /// - Returns: The report of a complete copy.
  /// - Throws: ``CopyFailure`` if the copy is incomplete: a file failed, a question was answered
  ///   with no, or the copy was stopped. Its report holds what was copied.
  @available(*, noasync, message: "In a task write 'try await copier.copy(…)'")
  @discardableResult
  public func copyAndWait(
    from sources: [some BytePathConvertible],
    to destination: some BytePathConvertible,
    placing placement: CopyPlacement = .automatic,
    monitor: CopyMonitor = CopyMonitor()
  ) throws(CopyFailure) -> CopyReport {
    let (sources, destination) = (sources.map(\.bytePath), destination.bytePath)
    let report = run(sources, to: destination, placement, monitor: monitor)
    if !report.isComplete { throw CopyFailure(report: report) }
    return report
  }

  /// Copies several sources on the calling thread and others, and returns the report of a complete
  /// or incomplete copy.
  func run(
    _ sources: [BytePath],
    to destination: BytePath,
    _ placement: CopyPlacement,
    monitor: CopyMonitor
  ) -> CopyReport {
    requireUse(
      placement != .exactly || sources.count == 1,
      "Only one source can get one exact name.",
      "S174"
    )
    var (options, destination) = (options.withImplied, destination)
    if sources == [destination], placement != .intoDirectory {
      options.backUpInstead(of: &destination)
    }
    let processors = ProcessorCount.usable
    let isDurable = options.durability == .everyFile
    let usual = isDurable ? CopyOptions.durableJobs : CopyOptions.jobs(processors: processors)
    let jobs = HeldDirectories.jobs(
      options.jobs ?? usual,
      descriptorLimit: ProcessLimits.descriptors
    )
    let isPaced = options.jobs == nil && !isDurable
    let pace = isPaced ? JobPace(processors: processors, most: jobs) : nil
    do throws(CopyError) {
      let manifest = try ManifestWriter.create(for: options, sourceCount: sources.count)
      let context = CopyContext(
        options,
        monitor: monitor,
        manifest: manifest,
        earlier: try EarlierFiles.open(for: options)
      )
      return CopyRun(context, jobs: jobs, pace: pace).copy(sources, to: destination, placement)
    } catch {
      return refuse(error, monitor)
    }
  }

  /// Returns the report of a copy that does not begin because of a failure.
  private func refuse(_ failure: CopyError, _ monitor: CopyMonitor) -> CopyReport {
    monitor.begin()
    defer { monitor.end() }
    monitor.countFailure()
    options.observer?.handle(.failure(failure))
    var report = CopyReport()
    report.add(failure)
    return report
  }
}

extension CopyOptions {
  /// Turns the copy of a file onto itself into a copy under the name of its backup, as cp does with
  /// backups and force.
  fileprivate mutating func backUpInstead(of destination: inout BytePath) {
    guard let naming = existing.backup, existing.removesAfterFailedOpen,
      (try? BorrowedDescriptor.workingDirectory.status(of: destination, following: true))?.kind
        == .regular
    else { return }
    let (directory, name) = OperandNames.split(destination)
    let names = BackupNames(naming: naming, name: name)
    var number = names.nextNumber(highest: nil)
    if names.dependsOnOthers,
      let place = try? BorrowedDescriptor.workingDirectory.open(
        directory.isEmpty ? "." : directory,
        [.path, .directory]
      ),
      let next = try? names.nextNumber(in: place.borrowed)
    {
      number = next
    }
    let backup = number.map(names.numbered) ?? names.simple
    destination = BytePath(bytes: directory.bytes + backup.bytes)
    existing.backup = nil
  }
}
