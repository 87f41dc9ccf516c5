import QueueRuntime
import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

/// One run of a copier: everything its threads share.
final class CopySession: Sendable {
  let options: CopyOptions
  let monitor: CopyMonitor
  /// What counts below the operands.
  private let treeOptions: CopyOptions
  let held: HeldDirectories
  let links = BargingLock(HardLinkTable<FileJob>())
  let linkGroups = BargingLock(LinkGroups())
  let clones = BargingLock(CloneSupport())
  let served = ServedDevices()
  /// Whether blocks of some file were shared.
  let hasCloned = Atomic<Bool>(false)
  let overwritten = OverwrittenFiles()
  /// The names of operands in the destination that look like hidden ones, or bring such along.
  let hiddenOperands = BargingLock<[BytePath]>([])
  let space = BargingLock(Space())
  /// How finely file systems of the destination store times, in nanoseconds.
  let timeSteps = BargingLock<[UInt64: Int64]>([:])
  /// The most file systems whose step is remembered; beyond it each file asks again.
  static let timeStepLimit = 64
  /// The permission bits that new files do not get, where modes are not preserved.
  let creationMask: UInt32
  /// Which extended attributes are copied.
  let attributeRules: AttributeRules
  let isSuperuser = ProcessLimits.isSuperuser
  /// Whether a file that was opened without a name can be given one at all.
  let canNameOpenFiles = ProcessLimits.canNameOpenFiles
  /// The operations that file systems of the destination refuse.
  let places = BargingLock(PlaceSupport())
  /// Held from looking whether a name is free to taking it, where one call cannot do both.
  let freeNames = BargingLock<Void>(())
  /// Held while one file shows whether its file system renames.
  let renamings = BargingLock<Void>(())
  let hiddenOwner = BargingLock<ProcessIdentity?>(nil)
  let hiddenNumber = Atomic<UInt64>(UInt64.random(in: .min ... .max))

  init(_ options: CopyOptions, jobs: Int, monitor: CopyMonitor) {
    self.options = options
    self.monitor = monitor
    var treeOptions = options
    if options.following == .operands { treeOptions.following = .nothing }
    self.treeOptions = treeOptions
    held = HeldDirectories(jobs: jobs, descriptorLimit: ProcessLimits.descriptors)
    attributeRules = CopySession.attributeRules(options)
    creationMask = options.preserved.contains(.mode) ? 0 : ProcessLimits.creationMask
  }

  /// Reads the system's list of attributes where attributes are copied.
  private static func attributeRules(_ options: CopyOptions) -> AttributeRules {
    var text = [UInt8](repeating: 0, count: 64 << 10)
    guard options.preserved.contains(.extendedAttributes),
      let file = try? BorrowedDescriptor.workingDirectory.open("/etc/xattr.conf", []),
      let count = try? file.borrowed.read(into: &text)
    else { return AttributeRules(text: []) }
    return AttributeRules(text: text.prefix(count))
  }

  /// The permission bits that new files in a directory do not get.
  func creationMask(in directory: CopyDirectory) -> UInt32 {
    if options.preserved.contains(.mode) { return 0 }
    return directory.defaultAccess.map { ~$0 & 0o777 } ?? creationMask
  }

  /// What counts for a name: only those of operands may be links that are followed.
  func options(for job: FileJob) -> CopyOptions { job.operand == nil ? treeOptions : options }

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
    do throws(SystemError) {
      let pair = try held.acquire(directory)
      body(pair)
      held.release(directory)
    } catch {
      fail(CopyError(.readDirectory, directory.sourcePath(""), error), worker)
    }
  }

  /// Reports a failure. Something that was left out because the copy was stopped is no failure, but
  /// makes the copy a stopped one.
  func fail(_ failure: CopyError, _ worker: CopyWorker) {
    if failure.problem == .stopped {
      worker.report.isStopped = true
      return
    }
    if worker.isRepeated(failure) { return }
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
    guard let observer = options.observer, observer.observesOperations else { return }
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
    guard let observer = options.observer, observer.observesOperations else { return }
    observer.handle(.createdParent(source: job.sourcePath, destination: job.destinationPath))
  }

  func announceRemoval(_ job: FileJob) {
    guard let observer = options.observer, observer.observesOperations else { return }
    observer.handle(.removed(job.destinationPath))
  }
}
