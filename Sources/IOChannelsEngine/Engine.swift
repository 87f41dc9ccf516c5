package import QueueRuntime
import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

/// The executor of all requests, which sends each to a ring or to a thread.
///
/// An engine serves the process that created it, and its ring's thread ends with it. A child of a
/// fork creates its own. Its parent must not have created one before the fork, because all engines
/// share a pool.
package final class Engine: Sendable {
  /// The engine of the process, created at the first use.
  package static let shared: Engine = {
    isInUse.store(true, ordering: .releasing)
    return Engine(setting: Environment.value(of: BackendPreference.variable))
  }()

  /// The engine of the process if it exists already.
  package static var sharedIfUsed: Engine? {
    isInUse.load(ordering: .acquiring) ? shared : nil
  }

  private static let isInUse = Atomic<Bool>(false)

  package let choice: BackendChoice
  /// The queue on which channels run barriers that have no queue of their own.
  package let queue: WorkQueue
  /// The limit on the memory of the engine's users.
  package let budget: MemoryBudget
  /// The sizes of the requests into which channels divide their operations.
  package let sizes: TransferSizes
  /// The source of memory for reads.
  package let buffers: BufferPool
  /// The timers that call operations with an interval.
  package let timers: IntervalTimers
  private let ring: RingSet?
  private let threads: any Backend
  private let statistics: Statistics
  private let routing: RoutingPreference
  private let observer: (any RequestObserver)?
  private let appends = BargingLock(AppendOrder())
  private let cachedOpening = CachedOpening()
  private let generation = ProcessGeneration.current

  /// Creates an engine.
  ///
  /// - Parameters:
  ///   - setting: A value of `IOCHANNELS_BACKEND`, nil for the default.
  ///   - routing: The preference between ring and threads, if there is one.
  ///   - pool: The threads that make plain calls.
  ///   - blockingPools: The threads that make calls which may wait for a peer.
  ///   - budget: The limit on the memory of the engine's users.
  ///   - sizes: The sizes of the requests into which channels divide their operations.
  ///   - buffers: The source of memory for reads.
  ///   - timers: The timers that call operations with an interval.
  ///   - observer: The receiver of events about requests.
  package init(
    setting: String?,
    routing: RoutingPreference = .table,
    pool: BlockingPool = .transfers,
    blockingPools: BlockingPools = .shared,
    budget: MemoryBudget = .shared,
    sizes: TransferSizes = TransferSizes(),
    buffers: BufferPool = .shared,
    timers: @escaping IntervalTimers = TimerService.intervals,
    observer: (any RequestObserver)? = nil
  ) {
    let statistics = Statistics()
    let threads = ThreadBackend(pool: pool, blockingPools: blockingPools, statistics: statistics)
    let choice = BackendChoice(setting: setting) { () throws(ProbeFailure) in
      try RingProbe.run()
    }
    self.choice = choice
    let count = RingSet.count(processors: ProcessorCount.usable)
    ring =
      choice.usesRing ? RingSet(count: count, threads: threads, statistics: statistics) : nil
    self.threads = threads
    self.statistics = statistics
    self.budget = budget
    self.routing = routing
    queue = .global()
    self.sizes = sizes
    self.buffers = buffers
    self.timers = timers
    self.observer = observer
    observer?.chose(choice)
  }

  /// Creates an engine that sends all requests to one backend, for the simulator.
  package init(
    simulatedBy backend: any Backend,
    queue: WorkQueue,
    sizes: TransferSizes,
    buffers: BufferPool = .shared,
    budget: MemoryBudget,
    timers: @escaping IntervalTimers = TimerService.intervals
  ) {
    self.budget = budget
    self.timers = timers
    choice = .simulated
    ring = nil
    threads = backend
    statistics = Statistics()
    routing = .table
    self.queue = queue
    self.sizes = sizes
    self.buffers = buffers
    observer = nil
  }

  /// Starts a request, whose end is reported to its owner on a thread of the engine.
  ///
  /// A child of a fork has neither the engine's threads nor its ring. There the owner receives
  /// `EOWNERDEAD` before this returns (S109).
  package func submit(_ request: Request) {
    guard belongsToThisProcess else {
      request.end(.failure(.ownerDied))
      return
    }
    if let observer {
      request.observer = observer
      let isRing = ring != nil && route(of: request) == .ring
      observer.submitted(RequestSummary(request), to: isRing ? .ring : .pool)
    }
    if request.isAppend {
      request.makeExtras().successor = { [self] in appendEnded($0) }
      guard appends.withLock({ $0.begin(request) }) else {
        // An earlier cancellation has not found the request in the queue.
        if request.isCancelled.load(ordering: .acquiring) { cancel(request) }
        return
      }
    }
    pass(request)
  }

  /// Creates or reuses memory of at least `count` bytes for a read; nil if there is none.
  package func makeBuffer(atLeast count: Int) -> PooledBuffer? {
    buffers.makeBuffer(atLeast: count)
  }

  /// Passes a request to its backend, without a reference to the ring that other threads count.
  private func pass(_ request: Request) {
    if route(of: request) == .ring, let ring {
      ring.submit(request)
    } else {
      threads.submit(request)
    }
  }

  /// Reads cached bytes on the calling thread, for an operation or for a read that is none.
  ///
  /// - Returns: The number of bytes, 0 at the end of the file. The span is not filled if only some
  ///   bytes are cached.
  /// - Throws: `EAGAIN` if the first byte is not cached, otherwise the error of the kernel.
  package func readCached(
    _ descriptor: BorrowedDescriptor,
    into output: inout OutputRawSpan,
    at offset: Int64,
    for owner: (any RequestOwner)? = nil
  ) throws(SystemError) -> Int {
    // The call involves no thread of either backend.
    try threads.readCached(descriptor, into: &output, at: offset, for: owner)
  }

  /// Writes on the calling thread as much as an anonymous pipe or a socket accepts without
  /// blocking.
  ///
  /// - Returns: The result, or nil if the request must be submitted.
  package func writeAtOnce(_ request: Request) -> TransferResult? {
    guard request.isPlainWriteToPeer, request.length <= sizes.peerAtOnce, belongsToThisProcess
    else {
      return nil
    }
    return threads.writeAtOnce(request)
  }

  /// Whether `readAtOnce` makes a call for a request.
  package func mayReadAtOnce(_ request: Request) -> Bool {
    request.isReadOfPipe && sizes.peerAtOnce > 0 && belongsToThisProcess
  }

  /// Reads on the calling thread the bytes that an anonymous pipe has, without blocking.
  ///
  /// - Returns: The result, or nil if the request must be submitted.
  package func readAtOnce(_ request: Request) -> TransferResult? {
    mayReadAtOnce(request) ? threads.readAtOnce(request, limit: sizes.peerAtOnce) : nil
  }

  /// Opens a regular file for reading on the calling thread, if that waits for nothing.
  ///
  /// - Returns: The file; nil if a request has to open it, which also finds the errors.
  package func openAtOnce(_ path: BytePath, _ flags: OpenFlags) -> CachedFile? {
    mayOpenAtOnce ? cachedOpening.open(path, flags) : nil
  }

  /// Records that a request has opened a file for reading, so that further ones of its file system
  /// may be opened at once.
  package func noteOpened(
    _ file: BorrowedDescriptor,
    _ traits: DescriptorTraits,
    _ flags: OpenFlags
  ) {
    if mayOpenAtOnce && CachedOpening.allows(flags) { cachedOpening.learn(file, traits) }
  }

  /// Closes a file on the calling thread, if it was opened for reading and that waits for nothing.
  ///
  /// - Returns: False if a request has to close it.
  package func closeAtOnce(
    _ file: BorrowedDescriptor,
    _ traits: DescriptorTraits,
    openedWith flags: OpenFlags
  ) -> Bool {
    mayOpenAtOnce && CachedOpening.allows(flags) && cachedOpening.close(file, traits)
  }

  /// Whether files are opened at once. An observer receives each opening as a request.
  private var mayOpenAtOnce: Bool { observer == nil && threads.opensAtOnce && belongsToThisProcess }

  /// Returns the requests, of which those count as stuck that have waited for a disk or a file
  /// system for longer than `age`.
  ///
  /// Other requests continue meanwhile. The call blocks for up to a second if the ring's thread
  /// itself hangs in the kernel. Requests that wait for a peer are never stuck (S117).
  package func report(stuckAfter age: Duration = .seconds(5)) -> RequestReport {
    let start = KernelClock.uptime.nanoseconds - age.wholeNanoseconds
    var report = ring?.report(stuckBefore: start) ?? RequestReport()
    if let threads = threads as? ThreadBackend {
      report.add(threads.report(stuckBefore: start))
    }
    report.waitingCount += appends.withLock { $0.waitingCount }
    return report
  }

  /// Whether the process is the one that created the engine, not a fork of it.
  package var belongsToThisProcess: Bool { generation == ProcessGeneration.current }

  /// Starts the next write that waits for the end of this one.
  private func appendEnded(_ request: Request) {
    let next = appends.withLock { $0.ended(request) }
    if let next { pass(next) }
  }

  /// Requests the cancellation of a request that was submitted to this engine.
  package func cancel(_ request: Request) {
    guard belongsToThisProcess else { return }
    // This store precedes the search in the queue. `submit` does both in the opposite order.
    request.isCancelled.store(true, ordering: .releasing)
    if request.isAppend, appends.withLock({ $0.cancel(request) }) {
      endWaiting(request)
    } else {
      backend(for: request).cancel(request)
    }
  }

  /// Has the backend end a cancelled write that has not started.
  private func endWaiting(_ request: Request) {
    request.extras?.successor = nil
    request.isCancelled.store(true, ordering: .releasing)
    pass(request)
  }

  /// The counts of the engine's work so far.
  package var counts: EngineCounts { statistics.counts }

  private func backend(for request: Request) -> any Backend {
    guard let ring else { return threads }
    switch route(of: request) {
    case .ring: return ring
    case .pool: return threads
    }
  }

  private func route(of request: Request) -> Route {
    if request.needsPageCache { return .pool }
    return switch routing {
    case .table:
      RoutingTable.route(
        request.kind,
        length: request.length,
        traits: request.traits,
        isAlone: request.isAlone
      )
    case .ring:
      RoutingTable.ringCarries(request.kind, traits: request.traits) ? .ring : .pool
    case .pool: .pool
    }
  }
}
