package import QueueRuntime
import Synchronization
import IOChannelsSystem

/// The way from a request to the kernel: the ring, or threads, or each for what it does best.
///
/// An engine serves the process that made it; a child of a fork makes its own, before which its
/// parent must not have made any, as all engines share a pool.
package final class Engine: Sendable {
  /// The engine of the process, made with its first use.
  package static let shared: Engine = {
    isInUse.store(true, ordering: .releasing)
    return Engine(setting: Environment.value(of: BackendPreference.variable))
  }()

  /// The engine of the process if it was used before; asking does not make it.
  package static var sharedIfUsed: Engine? {
    isInUse.load(ordering: .acquiring) ? shared : nil
  }

  private static let isInUse = Atomic<Bool>(false)

  package let choice: BackendChoice
  /// Where channels run what has no queue of its own: barriers.
  package let queue: WorkQueue
  /// Bounds the memory of those who use the engine.
  package let budget: MemoryBudget
  /// How channels cut their operations into requests.
  package let sizes: TransferSizes
  /// Where reads get their memory.
  package let buffers: BufferPool
  /// What calls operations that have an interval.
  package let timers: IntervalTimers
  private let ring: RingSet?
  private let threads: any Backend
  private let statistics: Statistics
  private let routing: RoutingPreference
  private let observer: (any RequestObserver)?
  private let appends = BargingLock(AppendOrder())
  private let generation = ProcessGeneration.current
  private let isStopped = Atomic<Bool>(false)

  /// Makes an engine.
  ///
  /// - Parameters:
  ///   - setting: A value of `IOCHANNELS_BACKEND`, `nil` for the default.
  ///   - routing: Who decides what the ring carries, if there is one.
  ///   - pool: Where plain calls are made.
  ///   - lanes: Where calls are made that may wait for a peer.
  ///   - budget: Bounds the memory of those who use the engine.
  ///   - sizes: How channels cut their operations into requests.
  ///   - buffers: Where reads get their memory.
  ///   - timers: Call operations that have an interval.
  ///   - observer: Is told what becomes of requests.
  package init(
    setting: String?,
    routing: RoutingPreference = .table,
    pool: BlockingPool = .transfers,
    lanes: BlockingLanes = .shared,
    budget: MemoryBudget = .shared,
    sizes: TransferSizes = TransferSizes(),
    buffers: BufferPool = .shared,
    timers: @escaping IntervalTimers = TimerService.intervals,
    observer: (any RequestObserver)? = nil
  ) {
    let statistics = Statistics()
    let threads = ThreadBackend(pool: pool, lanes: lanes, statistics: statistics)
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

  /// Makes an engine whose requests all go to one backend, for the simulator.
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

  /// Starts a request; its owner is told the end on a thread of the engine.
  ///
  /// In a child of a fork, which has neither the engine's threads nor its ring, the owner is told
  /// `EOWNERDEAD` before this returns (S109).
  package func submit(_ request: Request) {
    guard generation == ProcessGeneration.current else {
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
        // A cancellation that came first has not found it in the line.
        if request.isCancelled.load(ordering: .acquiring) { cancel(request) }
        return
      }
    }
    backend(for: request).submit(request)
  }

  /// Reads on the calling thread what is in memory.
  ///
  /// - Returns: The number of bytes, 0 at the end of the file; fewer than there is room for when
  ///   only those are in memory.
  /// - Throws: `EAGAIN` when the first byte is not in memory, else what the kernel says.
  package func readCached(
    _ descriptor: BorrowedDescriptor,
    into output: inout OutputRawSpan,
    at offset: Int64
  ) throws(SystemError) -> Int {
    // Whichever backend has it, no thread of it is asked.
    try threads.readCached(descriptor, into: &output, at: offset)
  }

  /// Writes on the calling thread what a pipe, socket or terminal takes without waiting.
  ///
  /// - Returns: The number of bytes; nil where the request has to be submitted, which also finds
  ///   errors.
  package func writeAtOnce(_ request: Request) -> Int? {
    guard request.isPlainWriteToPeer, request.length <= sizes.writeAtOnce,
      generation == ProcessGeneration.current, !isStopped.load(ordering: .relaxed)
    else { return nil }
    return threads.writeAtOnce(request)
  }

  /// The requests that wait for a disk or a file system, and that the kernel has had for so long.
  ///
  /// Others go on meanwhile. It blocks the calling thread, for a second when the ring's thread
  /// itself hangs in the kernel. What waits for a peer is not among them (S117).
  package func stuckRequests(after age: Duration = .seconds(5)) -> StuckRequests {
    let start = KernelClock.uptime.nanoseconds - age.wholeNanoseconds
    var found = ring?.stuck(before: start) ?? StuckRequests()
    found.entries += (threads as? ThreadBackend)?.stuck(before: start) ?? []
    return found
  }

  /// Lets the next write go that waits for the end of this one.
  private func appendEnded(_ request: Request) {
    let next = appends.withLock { $0.ended(request) }
    if let next { backend(for: next).submit(next) }
  }

  /// Asks for an early end of a request that was submitted to this engine.
  package func cancel(_ request: Request) {
    guard generation == ProcessGeneration.current else { return }
    // Before the look at the line: `submit` looks the other way round.
    request.isCancelled.store(true, ordering: .releasing)
    if request.isAppend, appends.withLock({ $0.cancel(request) }) {
      endWaiting(request)
    } else {
      backend(for: request).cancel(request)
    }
  }

  /// Has the backend end a write that has not begun, and that nobody waits for any more.
  private func endWaiting(_ request: Request) {
    request.extras?.successor = nil
    request.isCancelled.store(true, ordering: .releasing)
    backend(for: request).submit(request)
  }

  /// Ends the engine: it cancels all requests, waits for their ends, and lets its threads and its
  /// ring go.
  ///
  /// Later requests end with `ECANCELED`. So do those that the kernel has not given back in time,
  /// towards their owners: the result counts them (S110). It blocks the calling thread, which may
  /// be none of the engine's. A last descriptor goes with the engine itself; threads of the
  /// pool end when they have had no work for some time.
  ///
  /// - Precondition: It is not the engine of the process, which others use.
  package func shutDown(within limit: Duration) -> Shutdown {
    requireUse(Self.sharedIfUsed !== self, "The engine of the process is not shut down.", "S110")
    let deadline = Deadline.now() + limit
    isStopped.store(true, ordering: .relaxed)
    var shutdown = Shutdown()
    appends.withLock { $0.cancelAll() }.forEach(endWaiting)
    // Requests that the ring cannot carry go to the threads, which are stopped after it.
    if let ring {
      ring.stop()
      shutdown.stuckOnRing = ring.settle(until: deadline)
    }
    if let threads = threads as? any EndingBackend {
      threads.stop()
      shutdown.stuckOnThreads = threads.settle(until: deadline)
    }
    return shutdown
  }

  /// What the engine has done so far.
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
