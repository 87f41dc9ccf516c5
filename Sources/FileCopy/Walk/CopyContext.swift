import IOChannelsSystem
import Synchronization

/// The options of one copy, its monitor, and facts about the process, for all threads of the copy.
final class CopyContext: Sendable {
  let options: CopyOptions
  let monitor: CopyMonitor
  let modes: ModeRules
  /// The user of the copy.
  let user: UInt32
  /// Whether the process may do everything, such as change owners.
  var isSuperuser: Bool { user == 0 }
  /// The file systems that the copy flushes; nil if it flushes none.
  let fileSystems: FlushedFileSystems?
  /// The file systems of the sources and of the destination.
  let systems = KnownFileSystems()
  /// The directories that this copy has given to other users.
  let releases = DirectoryReleases()
  private let additions: Additions
  private let overwriteOptions: OverwriteOptions
  private let isAtLimit = Atomic<Bool>(false)

  /// The parts of a copy that few options request.
  struct Additions: Sendable {
    /// The list of the copied files and their checksums; nil if none is requested.
    var manifest: ManifestWriter?
    /// The place of the list, which is not removed; nil if none is requested.
    var manifestLocation: Location?
    /// The files of an earlier copy, of which unchanged ones are shared; nil if there is none.
    var earlier: EarlierFiles?
    /// The state that the runs for several destinations share; nil for one destination.
    var shared: SharedSource?
  }

  /// A name in a directory.
  struct Location: Sendable {
    let directory: FileIdentity
    let name: BytePath
  }

  init(
    _ options: CopyOptions,
    monitor: CopyMonitor,
    _ additions: Additions = Additions()
  ) {
    self.options = options
    self.monitor = monitor
    self.additions = additions
    overwriteOptions = OverwriteOptions(options)
    user = ProcessLimits.effectiveUser
    let isFlushed = options.durability != .automatic && !options.isDryRun
    fileSystems = isFlushed ? FlushedFileSystems() : nil
    modes = ModeRules(options, mask: ProcessLimits.creationMask, isSuperuser: user == 0)
  }

  /// The list of the copied files and their checksums; nil if none is requested.
  var manifest: ManifestWriter? { additions.manifest }

  /// The place of that list, also for destinations whose files it does not have.
  var manifestLocation: Location? { additions.manifestLocation }

  /// The files of an earlier copy, of which unchanged ones are shared; nil if there is none.
  var earlier: EarlierFiles? { additions.earlier }

  /// The state that the runs for several destinations share; nil for one destination.
  var shared: SharedSource? { additions.shared }

  /// Whether symbolic links below the operands are followed.
  var followsLinks: Bool { options.tree.following == .everything }

  /// Returns the options that decide about the existing file with a name.
  func overwriteOptions(for job: FileJob) -> OverwriteOptions {
    var options = overwriteOptions
    options.following = following(for: job)
    // As with cp, names of operands stay. Nothing is removed below a mount point.
    if job.operand != nil || job.isOnPath || job.directory.isBeyondMount {
      options.replacesKinds = false
    }
    return options
  }

  /// Returns the links that are followed at a name. With `.operands` only links among the operands
  /// are followed.
  func following(for job: FileJob) -> CopyOptions.Following {
    let following = options.tree.following
    return following == .operands && job.operand == nil ? .nothing : following
  }

  /// Reports a problem that is not a failure.
  func warn(_ warning: CopyError) {
    options.observer?.handle(.warning(warning.asWarning))
  }

  /// Whether no further file begins, because the copy is being stopped, or the process has reached
  /// its limit of open files.
  ///
  /// At the limit, the files in progress are completed: a file that is overwritten would otherwise
  /// be left incomplete.
  var beginsNoFiles: Bool { monitor.isStopping || isAtLimit.load(ordering: .relaxed) }

  /// Records that the process has reached its limit of open files.
  ///
  /// - Returns: True for the first call, whose caller reports the limit.
  func noteLimit() -> Bool { !isAtLimit.exchange(true, ordering: .relaxed) }

  /// The observer of the steps of the copy, nil if there is none.
  var operationObserver: CopyObserver? {
    options.observer.flatMap { $0.observesOperations ? $0 : nil }
  }

  /// The observer of removed entries that the source lacks, nil if there is none.
  var removalObserver: CopyObserver? {
    options.observer.flatMap { $0.observesOperations || $0.observesResults ? $0 : nil }
  }

  /// The observer of the results of the copy, nil if there is none.
  var resultObserver: CopyObserver? {
    options.observer.flatMap { $0.observesResults ? $0 : nil }
  }
}
