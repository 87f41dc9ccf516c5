internal import IOChannelsLocks
import IOChannelsSystem

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
  ///   to its sources. A part of a copy is valid, removes no entries and has no backups. A copy to
  ///   several destinations asks no questions and has neither direct I/O nor an earlier copy.
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
    requireUse(
      options.furtherDestinations.isEmpty
        || (options.existing.rule != .ask && options.contents.direct == .never
          && options.earlier == nil),
      "A copy to several destinations has no questions, direct I/O or earlier copy.",
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
  ///   - source: The file or directory to copy: a string or `BytePath(x)`, not `.init(x)`.
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

  /// Copies like ``copyAndWait(from:to:placing:monitor:)``, once in a process that ends afterwards.
  ///
  /// The parts of the copy stay in memory, since the end of the process frees them at once. With a
  /// manifest they do not, because the end of its writer removes an incomplete list.
  ///
  /// - Returns: The report of a complete or incomplete copy.
  package func copyAtEnd(
    from sources: [BytePath],
    to destination: BytePath,
    placing placement: CopyPlacement,
    monitor: CopyMonitor
  ) -> CopyReport {
    run(sources, to: destination, placement, monitor: monitor, isLast: options.manifest == nil)
  }

  /// Notes what a process can read at once only while it has one thread.
  package static func prepareOnlyThread() { ProcessLimits.noteCreationMask() }

  private static let kept = BargingLock<CopyRuns?>(nil)

  /// Copies several sources on the calling thread and others, and returns the report of a complete
  /// or incomplete copy.
  func run(
    _ sources: [BytePath],
    to destination: BytePath,
    _ placement: CopyPlacement,
    monitor: CopyMonitor,
    isLast: Bool = false
  ) -> CopyReport {
    requireUse(
      placement != .exactly || sources.count == 1,
      "Only one source can get one exact name.",
      "S174"
    )
    var (options, destination) = (options.withImplied, destination)
    if sources == [destination], placement != .intoDirectory, options.furtherDestinations.isEmpty {
      options.backUpInstead(of: &destination)
    }
    monitor.shared.begin()
    var report: CopyReport
    do throws(CopyError) {
      let destinations = [destination] + options.furtherDestinations
      let contexts = try FileCopier.contexts(options, monitor, sourceCount: sources.count)
      let areSeveral = sources.count > 1 || options.tree.isRecursive
      let runs = FileCopier.runs(contexts, to: destinations, options, areSeveral: areSeveral)
      if isLast { FileCopier.kept.withLock { $0 = runs } }
      report = try runs.copy(sources, placement)
    } catch {
      monitor.shared.countFailure()
      options.observer?.handle(.failure(error))
      report = CopyReport()
      report.add(error)
    }
    monitor.shared.end()
    report.elapsed = monitor.progress.elapsed
    return report
  }

  /// Returns the contexts of all destinations. Only the first one has a manifest.
  ///
  /// - Throws: The error of a manifest or an earlier copy.
  private static func contexts(
    _ options: CopyOptions,
    _ monitor: CopyMonitor,
    sourceCount: Int
  ) throws(CopyError) -> [CopyContext] {
    var additions = CopyContext.Additions(
      manifest: try ManifestWriter.create(for: options, sourceCount: sourceCount),
      earlier: try EarlierFiles.open(for: options)
    )
    additions.manifestLocation = additions.manifest?.location
    if options.furtherDestinations.isEmpty {
      return [CopyContext(options, monitor: monitor, additions)]
    }
    var options = options
    options.observer = options.observer?.receivingProblemsOnce
    additions.shared = SharedSource(destinations: 1 + options.furtherDestinations.count)
    var contexts = [CopyContext(options, monitor: monitor, additions)]
    options.manifest = nil
    additions.manifest = nil
    for _ in options.furtherDestinations {
      contexts.append(CopyContext(options, monitor: monitor, additions))
    }
    return contexts
  }

  /// Returns the runs of a copy, among which the descriptors are divided.
  ///
  /// One file has one job, for which the processors need not be counted.
  private static func runs(
    _ contexts: [CopyContext],
    to destinations: [BytePath],
    _ options: CopyOptions,
    areSeveral: Bool
  ) -> CopyRuns {
    let processors = areSeveral ? ProcessorCount.usable : 1
    let isDurable = options.durability == .everyFile
    let usual =
      !areSeveral
      ? 1 : isDurable ? CopyOptions.durableJobs : CopyOptions.jobs(processors: processors)
    let descriptors = ProcessLimits.descriptors / destinations.count
    let jobs = HeldDirectories.jobs(options.jobs ?? usual, descriptorLimit: descriptors)
    let isPaced = areSeveral && options.jobs == nil && !isDurable
    return CopyRuns(contexts, to: destinations) { context in
      CopyRun(
        context,
        jobs: jobs,
        pace: isPaced ? JobPace(processors: processors, most: jobs) : nil,
        descriptorLimit: descriptors
      )
    }
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
