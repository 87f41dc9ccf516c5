internal import Synchronization
internal import SystemCalls

/// Threads that run the work of queues and tasks.
///
/// Threads start when work waits and nobody is free, and end after 5 seconds without work. While
/// some are blocked, in a wait or a system call, others take their place within milliseconds
/// (S100, S101). A pool has up to three crews of threads: one for the classes of service from
/// `default` up, among which the more urgent work goes first (S98); one for `utility`, whose
/// threads' nice value is 2 higher; and one for `background`, whose is 10 higher and whose
/// transfers wait until nobody else uses the disk (S99).
///
/// Most programs need no pool but the shared one. A pool of one's own keeps the work of a part of a
/// program apart from that of others. It may be let go of at any time: its threads end as soon as
/// they have run what waits.
///
/// Where fewer threads can be started the work takes longer, down to a single thread for all
/// classes (S102). When not even one can be started, a submitter waits and tries again, for about a
/// second. Then it runs the work itself before the submission returns, and so do later submitters
/// until a thread can be started (S103). Work that waits for its submitter hangs then.
///
/// A worker blocks all signals but those of its own faults, `SIGPIPE` and `SIGPROF`, so children
/// that its work starts inherit these as other children do (S165).
///
/// A pool serves the process that made it. In a child of a fork, which has none of its threads,
/// submitting stops the program (S109).
public final class WorkerPool: Sendable {
  /// The most threads of a crew.
  private static let bound = 4096
  /// The most threads for `utility`, and for `background`.
  package static let quietBound = 64

  /// The pool of all queues and tasks that name no other.
  ///
  /// It runs one piece of work at a time for each processor that the process may use, by its
  /// affinity and the quota of its control group, and more while some are blocked: up to 255
  /// threads for the classes from `default` up, and 64 each for `utility` and `background`.
  public static let shared = WorkerPool(
    name: "queue",
    width: min(ProcessorCount.usable, 255),
    maximum: 255
  )

  /// The start of the names of its threads.
  public let name: String

  /// The workers of each crew that are active at once while none is blocked.
  let width: Int
  private let maximum: Int
  private let means: CrewMeans
  private let generation = ProcessGeneration.current
  /// Takes all jobs in place of threads.
  private let sink: (@Sendable (any PoolJob) -> Void)?
  private let normal = AtomicLazyReference<Crew>()
  private let utility = AtomicLazyReference<Crew>()
  private let background = AtomicLazyReference<Crew>()

  /// Makes a pool without threads.
  ///
  /// The bounds hold for each of its three crews, but `utility` and `background` never have more
  /// than 64 threads each. A crew costs nothing until work of its classes comes.
  ///
  /// - Parameters:
  ///   - name: The start of its threads' names; the class and a number follow, and 15 bytes are
  ///     kept.
  ///   - width: How many threads work at once while none is blocked, at least 1.
  ///   - maximum: The most threads at any time, from `width` to 4096. If it is above `width` + 1,
  ///     one of them at times only watches for blocked ones.
  /// - Precondition: The width is at least 1, and the maximum lies between it and 4096.
  public convenience init(name: String, width: Int, maximum: Int) {
    self.init(name: name, width: width, maximum: maximum, means: CrewMeans())
  }

  /// Makes a pool for jobs that a submitting thread may run itself, without threads.
  ///
  /// When no thread at all can be started, jobs run before `submit` returns, without pauses: they
  /// wait for nothing but the kernel.
  ///
  /// - Parameters:
  ///   - name: The start of its threads' names.
  ///   - width: How many threads work at once while none is blocked, at least 1.
  ///   - maximum: The most threads at any time.
  ///   - runsUserCode: Whether jobs call code of the program. If they do not, its threads block
  ///     `SIGPIPE` and `SIGPROF` as well (S165).
  package convenience init(
    nameOfOwnWork name: String,
    width: Int,
    maximum: Int,
    runsUserCode: Bool = false
  ) {
    let means = CrewMeans(pauses: [], runsUserCode: runsUserCode)
    self.init(name: name, width: width, maximum: maximum, means: means)
  }

  /// Makes a pool without threads: whoever made it runs the jobs that `sink` is given, for a
  /// simulator that decides on their order.
  package convenience init(name: String, sink: @escaping @Sendable (any PoolJob) -> Void) {
    self.init(name: name, width: 1, maximum: 1, means: CrewMeans(), sink: sink)
  }

  init(
    name: String,
    width: Int,
    maximum: Int,
    means: CrewMeans,
    sink: (@Sendable (any PoolJob) -> Void)? = nil
  ) {
    requireUse(width >= 1, "A pool is at least 1 wide.", "S173")
    requireUse(maximum >= width, "The most threads of a pool are no fewer than its width.", "S173")
    requireUse(maximum <= Self.bound, "A pool has at most 4096 threads.", "S173")
    self.name = name
    self.width = width
    self.maximum = maximum
    self.means = means
    self.sink = sink
  }

  deinit {
    for kind in CrewKind.allCases { existingCrew(kind)?.close() }
  }

  /// The number of threads that the pool has now, of all crews.
  public var threadCount: Int { statistics.threads }
}

// MARK: - Jobs

extension WorkerPool {
  /// Whether a job of the default class's crew waits.
  package var hasWaitingJobs: Bool { hasWaitingJobs(qos: .default) }

  /// Whether a job waits in the crew of a class; a job that works in turns gives its thread back
  /// then.
  package func hasWaitingJobs(qos: WorkQueue.QoS.QoSClass) -> Bool {
    existingCrew(CrewKind(qos))?.hasWaitingJobs ?? false
  }

  /// Adds a job behind all others of its class.
  ///
  /// The jobs that wait have no bound of their own: a queue waits here at most once, and other
  /// submitters count theirs.
  package func submit(_ job: any PoolJob, qos: WorkQueue.QoS.QoSClass = .default) {
    if let sink { return sink(job) }
    checkProcess()
    crew(CrewKind(qos)).submit(job, band: CrewKind.band(of: qos))
  }

  /// Adds a job that a full pool must not delay: a spare thread runs it if the pool is the shared
  /// one and has a job for each thread of its class (S38).
  func submitDelivery(_ job: any PoolJob, qos: WorkQueue.QoS.QoSClass) {
    guard self === WorkerPool.shared else { return submit(job, qos: qos) }
    checkProcess()
    let isAdded = crew(CrewKind(qos)).submitUnlessFull(job, band: CrewKind.band(of: qos))
    if !isAdded { WorkerPool.spare.submit(job, qos: qos) }
  }

  /// Whether the process that uses the pool is the one that made it.
  var isOfThisProcess: Bool { sink != nil || generation == ProcessGeneration.current }

  /// Stops the program in a child of a fork: the threads, which may hold locks, stayed behind.
  func checkProcess() {
    guard isOfThisProcess else {
      stop(saying: "A child of a fork cannot use the queues and pools of its parent.", "S109")
    }
  }

  /// Adds a closure behind all jobs of its class.
  package func submit(
    qos: WorkQueue.QoS.QoSClass = .default,
    _ body: @escaping @Sendable () -> Void
  ) {
    submit(ClosureJob(body: body), qos: qos)
  }
}

// MARK: - Crews

extension WorkerPool {
  /// A crew if it ever had work.
  func existingCrew(_ kind: CrewKind) -> Crew? {
    switch kind {
    case .normal: normal.load()
    case .utility: utility.load()
    case .background: background.load()
    }
  }

  private func crew(_ kind: CrewKind) -> Crew {
    if let crew = existingCrew(kind) { return crew }
    return switch kind {
    case .normal: normal.storeIfNil(makeCrew(kind))
    case .utility: utility.storeIfNil(makeCrew(kind))
    case .background: background.storeIfNil(makeCrew(kind))
    }
  }

  private func makeCrew(_ kind: CrewKind) -> Crew {
    let maximum = kind == .normal ? maximum : min(maximum, Self.quietBound)
    return Crew(
      kind,
      poolName: name,
      width: min(width, maximum),
      maximum: maximum,
      means: means,
      neighbour: { [weak self] in self?.crewWithThread(besides: kind) }
    )
  }

  private func crewWithThread(besides kind: CrewKind) -> Crew? {
    CrewKind.allCases.lazy
      .filter { $0 != kind }
      .compactMap { self.existingCrew($0) }
      .first { $0.state.withLock { $0.hasThread } }
  }
}
