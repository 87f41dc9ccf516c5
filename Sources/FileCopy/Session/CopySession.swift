import QueueRuntime
import Synchronization
import SystemCalls

/// One run of a copier: everything its threads share.
final class CopySession: Sendable {
  let options: CopyOptions
  let monitor: CopyMonitor
  let held: HeldDirectories
  let links = BargingLock(HardLinkTable<FileJob>())
  let clones = BargingLock(CloneSupport())
  /// The permission bits that new files do not get, where modes are not preserved.
  let creationMask: UInt32
  let isSuperuser = ProcessLimits.isSuperuser
  /// Whether files without a name cannot be used, on some file system or at all; then hidden names
  /// are.
  let refusesUnnamed = Atomic<Bool>(!ProcessLimits.canNameOpenFiles)
  private let temporaryNumber = Atomic<UInt64>(UInt64.random(in: .min ... .max))

  init(_ options: CopyOptions, jobs: Int, monitor: CopyMonitor) {
    self.options = options
    self.monitor = monitor
    held = HeldDirectories(jobs: jobs, descriptorLimit: ProcessLimits.descriptors)
    creationMask = options.preserved.contains(.mode) ? 0 : ProcessLimits.creationMask
  }

  /// The permission bits that new files in a directory do not get.
  func creationMask(in directory: CopyDirectory) -> UInt32 {
    if options.preserved.contains(.mode) { return 0 }
    return directory.defaultAccess.map { ~$0 & 0o777 } ?? creationMask
  }

  /// Whether links below the operands stand for what they point to.
  var followsLinks: Bool { options.following == .everything }

  /// Does a task and counts it as done in its directory.
  func perform(_ task: CopyTask, _ worker: CopyWorker) {
    switch task {
    case .enter(let job):
      enter(job, worker)
      complete(job.directory, worker)
    case .read(let directory, let position):
      read(directory, from: position, worker)
      complete(directory, worker)
    case .files(let directory, let entries):
      copy(entries, in: directory, worker)
      complete(directory, worker)
    case .operand(let job, let kind):
      holding(job.directory, worker) { pair in
        copyNonDirectory(job, kind: kind, in: pair, worker)
      }
      complete(job.directory, worker)
    case .firstName(let job, let file, let kind):
      takeTurn(job, file, kind, worker)
      complete(job.directory, worker)
    case .link(let job, let first):
      holding(job.directory, worker) { pair in link(job, in: pair, to: first, worker) }
      complete(job.directory, worker)
    }
  }

  /// Does something with a directory's descriptors, or reports that they cannot be had again.
  func holding(
    _ directory: CopyDirectory,
    _ worker: CopyWorker,
    _ body: (DirectoryPair) -> Void
  ) {
    do throws(Errno) {
      let pair = try held.acquire(directory)
      body(pair)
      held.release(directory)
    } catch {
      fail(CopyError(.readDirectory, directory.sourcePath(""), error), worker)
    }
  }

  func fail(_ failure: CopyError, _ worker: CopyWorker) {
    // Who stopped the copy knows that things are missing.
    if failure.problem == .stopped { return }
    worker.report.add(failure)
    monitor.countFailure()
    options.observer?.handle(.failure(failure))
    if options.stopsAtFailure { monitor.stop() }
  }

  /// Whether nothing may be begun any more; the report tells then that something is missing.
  func isStopped(_ worker: CopyWorker) -> Bool {
    if monitor.isStopping { worker.report.isStopped = true }
    return worker.report.isStopped
  }

  func warn(_ warning: CopyError) {
    options.observer?.handle(.warning(warning))
  }

  /// Announces a name where somebody wants to hear it.
  func announce(_ job: FileJob) {
    guard let observer = options.observer, observer.hearsFiles else { return }
    observer.handle(
      .copying(
        source: job.sourcePath,
        destination: job.destinationPath,
        backup: job.backup.map { job.directory.destinationPath($0) }
      )
    )
  }

  /// Announces a directory on an operand's path that was made.
  func announceParent(_ job: FileJob) {
    guard let observer = options.observer, observer.hearsFiles else { return }
    observer.handle(.madeParent(source: job.sourcePath, destination: job.destinationPath))
  }

  func announceRemoval(_ job: FileJob) {
    guard let observer = options.observer, observer.hearsFiles else { return }
    observer.handle(.removed(job.destinationPath))
  }

  /// A hidden name of fixed length that nobody can foresee and that fits beside any other.
  func temporaryName() -> FilePath {
    let number = temporaryNumber.wrappingAdd(0x9e37_79b9_7f4a_7c15, ordering: .relaxed).newValue
    return FilePath(".fastcp-" + String(number, radix: 36))
  }
}
