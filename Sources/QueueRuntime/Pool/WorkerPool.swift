internal import IOChannelsLocks
internal import IOChannelsSystem

/// A pool of threads that run the work of queues and tasks.
///
/// Threads start when work waits and no thread is free, and end after 5 seconds without work. While
/// some are blocked, in a wait or a system call, the pool starts replacements within milliseconds
/// (<doc:Rules#S100>, <doc:Rules#S101>). A pool has up to four groups of threads, between which the
/// kernel divides the processors (<doc:Rules#S98>, <doc:Rules#S325>). One serves the
/// quality-of-service classes `userInteractive` and `userInitiated`, one `default`, one `utility`,
/// and one `background` with idle I/O priority. Their nice values differ (<doc:Rules#S99>).
///
/// Most programs need only the shared pool. A pool of its own separates the work of a part of a
/// program from that of others. It may be released at any time: its threads end as soon as they
/// have run all waiting work.
///
/// Where fewer threads can be started the work takes longer, down to a single thread for all
/// classes (<doc:Rules#S102>). When no thread at all can be started, a submitter waits and tries
/// again, for about a second. Then it runs the work itself before the submission returns, and so do
/// later submitters until a thread can be started (<doc:Rules#S103>). Work that waits for its
/// submitter hangs in that case.
///
/// A worker blocks all signals but those of its own faults, `SIGPIPE` and `SIGPROF`, so children
/// that its work starts inherit these unblocked (<doc:Rules#S165>).
///
/// A pool serves the process that created it. In a child of a fork, which has none of its threads,
/// a submission stops the program (<doc:Rules#S109>).
public final class WorkerPool: Sendable {
  /// The largest number of threads of a worker group.
  private static let bound = 4096
  /// The largest number of threads for `utility`, and for `background`.
  package static let quietBound = 64

  /// The pool of all queues and tasks that use no other.
  ///
  /// It has four groups of threads: for `userInteractive` and `userInitiated`, for `default`, for
  /// `utility` and for `background`. Each group runs one job at a time for each processor that the
  /// affinity of the process and the quota of its control group allow. While jobs are blocked, a
  /// group starts further threads, up to 255 in each of the first two groups and 64 in each of the
  /// others.
  public static let shared = WorkerPool(
    name: "queue",
    width: min(ProcessorCount.usable, 255),
    maximumThreadCount: 255
  )

  /// The prefix of its threads' names.
  public let name: String

  /// The number of workers of each group that are active at once while none is blocked.
  let width: Int
  private let maximum: Int
  private let configuration: WorkerGroupConfiguration
  private let generation = ProcessGeneration.current
  /// A function that receives all jobs in place of threads.
  private let sink: (@Sendable (any PoolJob) -> Void)?
  private let high = SetOnceReference<WorkerGroup>()
  private let normal = SetOnceReference<WorkerGroup>()
  private let utility = SetOnceReference<WorkerGroup>()
  private let background = SetOnceReference<WorkerGroup>()

  /// Creates a pool without threads.
  ///
  /// The bounds hold for each of its four groups of threads, but `utility` and `background` never
  /// have more than 64 threads each. A group costs nothing until work of its classes is submitted.
  ///
  /// - Parameters:
  ///   - name: The prefix of its threads' names; the class and a number follow, and the kernel
  ///     keeps 15 bytes.
  ///   - width: The number of threads that work at once while none is blocked, at least 1.
  ///   - maximumThreadCount: The largest number of threads, from `width` to 4096. If it is above
  ///     `width` + 1, one of them at times only watches for blocked ones.
  /// - Precondition: The width is at least 1, and the maximum lies between it and 4096.
  public convenience init(name: String, width: Int, maximumThreadCount: Int) {
    self.init(
      name: name,
      width: width,
      maximumThreadCount: maximumThreadCount,
      configuration: WorkerGroupConfiguration()
    )
  }

  /// Creates a pool without threads, for jobs that a submitting thread may run itself.
  ///
  /// When no thread at all can be started, jobs run before `submit` returns, without pauses: they
  /// wait only for the kernel.
  ///
  /// - Parameters:
  ///   - name: The prefix of its threads' names.
  ///   - width: The number of threads that work at once while none is blocked, at least 1.
  ///   - maximumThreadCount: The largest number of threads.
  ///   - runsUserCode: Whether jobs call code of the program. If they do not, its threads block
  ///     `SIGPIPE` and `SIGPROF` as well (S165).
  package convenience init(
    nameOfOwnWork name: String,
    width: Int,
    maximumThreadCount: Int,
    runsUserCode: Bool = false
  ) {
    let configuration = WorkerGroupConfiguration(pauses: [], runsUserCode: runsUserCode)
    self.init(
      name: name,
      width: width,
      maximumThreadCount: maximumThreadCount,
      configuration: configuration
    )
  }

  /// Creates a pool without threads for a simulator, which receives the jobs through `sink` and
  /// decides on their order.
  package convenience init(name: String, sink: @escaping @Sendable (any PoolJob) -> Void) {
    self.init(
      name: name,
      width: 1,
      maximumThreadCount: 1,
      configuration: WorkerGroupConfiguration(),
      sink: sink
    )
  }

  init(
    name: String,
    width: Int,
    maximumThreadCount maximum: Int,
    configuration: WorkerGroupConfiguration,
    sink: (@Sendable (any PoolJob) -> Void)? = nil
  ) {
    requireUse(width >= 1, "A pool is at least 1 wide.", "S173")
    requireUse(maximum >= width, "The most threads of a pool are no fewer than its width.", "S173")
    requireUse(maximum <= Self.bound, "A pool has at most 4096 threads.", "S173")
    self.name = name
    self.width = width
    self.maximum = maximum
    self.configuration = configuration
    self.sink = sink
  }

  deinit {
    for kind in WorkerGroupKind.allCases { existingGroup(kind)?.close() }
  }

  /// The number of threads that the pool has now, in all its groups.
  public var threadCount: Int { statistics().threadCount }
}

// MARK: - Jobs

extension WorkerPool {
  /// Whether a job of the default class's group waits.
  package var hasWaitingJobs: Bool { hasWaitingJobs(qos: .default) }

  /// Returns whether a job waits in the worker group of a class; a job that works in batches
  /// then yields its thread.
  package func hasWaitingJobs(qos: WorkQueue.QoS.QoSClass) -> Bool {
    existingGroup(WorkerGroupKind(qos))?.hasWaitingJobs ?? false
  }

  /// Adds a job after all others of its class.
  ///
  /// The waiting jobs have no bound here: a queue waits at most once, and other submitters count
  /// their jobs.
  package func submit(_ job: any PoolJob, qos: WorkQueue.QoS.QoSClass = .default) {
    if let sink { return sink(job) }
    checkProcess()
    group(WorkerGroupKind(qos)).submit(job)
  }

  /// Adds a job that a full pool must not delay. A spare thread runs it if the pool is the shared
  /// one and has a job for each thread of its class (S38).
  func submitDelivery(_ job: any PoolJob, qos: WorkQueue.QoS.QoSClass) {
    guard self === WorkerPool.shared else { return submit(job, qos: qos) }
    checkProcess()
    if group(WorkerGroupKind(qos)).submitUnlessFull(job) { return }
    WorkerPool.spare.submit(job, qos: qos)
  }

  /// Whether the calling process created the pool.
  var isOfThisProcess: Bool { sink != nil || generation == ProcessGeneration.current }

  /// Stops the program in a child of a fork: the threads, which may hold locks, exist only in the
  /// parent.
  func checkProcess() {
    guard isOfThisProcess else {
      stop(saying: "A child of a fork cannot use the queues and pools of its parent.", "S109")
    }
  }

  /// Adds a closure after all jobs of its class.
  package func submit(
    qos: WorkQueue.QoS.QoSClass = .default,
    _ body: @escaping @Sendable () -> Void
  ) {
    submit(ClosureJob(body: body), qos: qos)
  }
}

// MARK: - Worker groups

extension WorkerPool {
  /// Returns a worker group if it ever had work.
  func existingGroup(_ kind: WorkerGroupKind) -> WorkerGroup? {
    switch kind {
    case .high: high.load()
    case .normal: normal.load()
    case .utility: utility.load()
    case .background: background.load()
    }
  }

  private func group(_ kind: WorkerGroupKind) -> WorkerGroup {
    if let group = existingGroup(kind) { return group }
    return switch kind {
    case .high: high.storeIfNil(makeGroup(kind))
    case .normal: normal.storeIfNil(makeGroup(kind))
    case .utility: utility.storeIfNil(makeGroup(kind))
    case .background: background.storeIfNil(makeGroup(kind))
    }
  }

  private func makeGroup(_ kind: WorkerGroupKind) -> WorkerGroup {
    let isQuiet = kind == .utility || kind == .background
    let maximum = isQuiet ? min(maximum, Self.quietBound) : maximum
    return WorkerGroup(
      kind,
      poolName: name,
      width: min(width, maximum),
      maximum: maximum,
      configuration: configuration,
      fallback: { [weak self] in self?.groupWithThread(besides: kind) }
    )
  }

  private func groupWithThread(besides kind: WorkerGroupKind) -> WorkerGroup? {
    WorkerGroupKind.allCases.lazy
      .filter { $0 != kind }
      .compactMap { self.existingGroup($0) }
      .first { $0.state.withLock { $0.hasThread } }
  }
}
