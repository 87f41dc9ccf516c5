internal import Synchronization
internal import IOChannelsLocks

/// A serial or concurrent queue that runs closures in the order of their submission.
///
/// ```swift
/// let pages = WorkQueue(label: "pages", qos: .utility)
/// let group = WorkGroup()
/// for number in 1...3 {
///   pages.async(group: group) { print("page", number) }
/// }
///
/// // A task waits without blocking a thread. Code outside of tasks calls `group.wait()`.
/// try await group.completion()
/// ```
///
/// A serial queue runs one closure at a time. A concurrent queue starts closures in order and lets
/// them run concurrently, except for barriers. A queue runs its closures as work of its target,
/// another queue; queues with one serial target exclude each other. Queues without a target run on
/// the workers of a pool.
///
/// All members may be called on any thread. A queue may be released at any time unless it is
/// suspended or inactive, also by a closure that it runs: it exists until all submitted work has
/// run. The number of waiting closures is bounded only by memory.
public final class WorkQueue: Sendable {
  /// The options of a new queue.
  public struct Attributes: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Creates a set from its bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Concurrent execution of closures.
    public static let concurrent = Attributes(rawValue: 1)

    /// An inactive queue, which starts no work before it is activated.
    public static let initiallyInactive = Attributes(rawValue: 2)
  }

  /// The kind of the queue: global, main, or created by the program.
  enum Kind: Sendable {
    case own
    /// A queue shared by all parts of the program: without barriers, stops and targets.
    case global
    /// The queue that the main thread drains.
    case main
  }

  /// The destination of a queue's work: a target queue, or the workers of a pool.
  struct Destination: Sendable {
    /// The queue as whose work it runs, nil for the pool's workers.
    var target: WorkQueue?
    /// The class for the pool's workers, never unspecified.
    var qosClass: QoS.QoSClass
  }

  /// The values that a program attaches to a queue.
  struct Attachments: Sendable {
    var specifics: [ObjectIdentifier: any Sendable] = [:]
    /// The values of C programs, whose keys are addresses.
    var addressed: [UInt: AddressedValue] = [:]
    var context = ObjectContext()
    /// The label as a string of C; created on request.
    var labelBytes: LabelBytes?
  }

  /// The name given at creation, for debugging.
  public let label: String

  /// The quality of service given at creation.
  public let qos: QoS

  let kind: Kind
  let core: any QueueCore
  let pool: WorkerPool
  /// Whether it may be retargeted after its activation.
  let isRetargetable: Bool
  let suspension: AtomicState<SuspensionWord>
  let destination: ConfinedValue<Destination>
  /// The class of the target, which threads other than the holder may read.
  let shownClass: Atomic<UInt8>
  /// Whether all work is a barrier, because a C program set the width to 1.
  private let isNarrow = Atomic<Bool>(false)
  let attachments = ColdState(Attachments())
  private let generation = ProcessGeneration.current

  init(
    label: String,
    qos: QoS,
    kind: Kind = .own,
    core: any QueueCore,
    pool: WorkerPool,
    destination: Destination,
    isActive: Bool = true
  ) {
    self.label = label
    self.qos = qos
    self.kind = kind
    self.core = core
    self.pool = pool
    self.destination = ConfinedValue(destination)
    shownClass = Atomic(destination.qosClass.rawValue)
    isRetargetable = isActive && destination.target == nil
    suspension = AtomicState(isActive ? SuspensionWord() : .initiallyInactive)
  }

  deinit {
    let word = suspension.now
    requireUse(word.suspensions == 0, "A queue is not released while it is suspended.", "S84")
    requireUse(!word.isInactive, "A queue is not released before it is activated.", "S84")
    let disposal = attachments.read(\.context.disposal)
    // In a child of a fork no thread exists to run it.
    guard pool.isOfThisProcess, WorkerPool.shared.isOfThisProcess else { return }
    if let disposal {
      (target ?? .global(qos: destination.value.qosClass)).async(execute: disposal)
    }
    disposeOfSpecifics()
  }

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - label: A name for debugging.
  ///   - qos: The quality of service; when unspecified, that of the target.
  ///   - attributes: The options; by default the queue is serial and active.
  ///   - autoreleaseFrequency: Ignored; kept for source compatibility with Dispatch.
  ///   - target: The queue as whose work everything runs, nil for the shared workers.
  public convenience init(
    label: String,
    qos: QoS = .unspecified,
    attributes: Attributes = [],
    autoreleaseFrequency: AutoreleaseFrequency = .inherit,
    target: WorkQueue? = nil
  ) {
    self.init(
      label: label,
      qos: qos,
      attributes: attributes,
      target: target,
      pool: target?.pool ?? .shared
    )
  }

  /// Creates a queue whose closures run on the workers of the given pool.
  public convenience init(
    label: String,
    qos: QoS = .unspecified,
    attributes: Attributes = [],
    pool: WorkerPool
  ) {
    self.init(label: label, qos: qos, attributes: attributes, target: nil, pool: pool)
  }

  private convenience init(
    label: String,
    qos: QoS,
    attributes: Attributes,
    target: WorkQueue?,
    pool: WorkerPool
  ) {
    self.init(
      label: label,
      qos: qos,
      core: attributes.contains(.concurrent) ? ConcurrentQueueCore() : SerialQueueCore(),
      pool: pool,
      destination: Destination(target, for: qos),
      isActive: !attributes.contains(.initiallyInactive)
    )
  }
}

extension WorkQueue.Destination {
  /// Creates the destination of a queue that targets `target`.
  ///
  /// A global queue of the shared pool stands for the pool's workers of its class.
  init(_ target: WorkQueue?, for qos: WorkQueue.QoS) {
    let own = qos.qosClass
    if let target, target.kind == .global {
      // The workers of another pool than the shared one are reached through their queue.
      let isShared = target.pool === WorkerPool.shared
      let qosClass = own == .unspecified ? target.qos.qosClass : own
      self.init(target: isShared ? nil : target, qosClass: qosClass)
    } else {
      self.init(target: target, qosClass: own == .unspecified ? .default : own)
    }
  }
}

extension WorkQueue {
  /// Whether closures of the queue run one after the other.
  var isSerial: Bool { core.isSerial || runsOneByOne }

  /// Whether all work that is submitted now is a barrier.
  @inline(__always)
  var runsOneByOne: Bool { isNarrow.load(ordering: .relaxed) }

  /// Sets whether work that is submitted to a concurrent queue from now on may run concurrently.
  ///
  /// It is for C programs. Earlier work runs as before. Work that is submitted later waits for it
  /// if the queue runs closures one by one before or after the call. Calls on serial queues and on
  /// those that all parts of the program share have no effect.
  package func setConcurrent(_ isConcurrent: Bool) {
    if kind == .own && !core.isSerial { isNarrow.store(!isConcurrent, ordering: .relaxed) }
  }

  /// Whether all parts of the program share the queue, which is a global one or the main queue.
  package var isShared: Bool { kind != .own }

  /// The class in which the queue's work runs, its own or that of its target; any thread may read
  /// it.
  package var effectiveClass: QoS.QoSClass {
    QoS.QoSClass(rawValue: shownClass.load(ordering: .relaxed)) ?? .default
  }

  /// The queue as whose work this one's runs; only for threads that hold it.
  var target: WorkQueue? { destination.value.target }
}

// MARK: - Draining

extension WorkQueue: PoolJob {
  /// Drains the queue, on a thread of its target.
  package func run() {
    core.drain(self)
  }

  /// Submits a drain once the queue is not stopped; only its holder may call this.
  func submitDrain(_ cause: DrainCause) {
    if kind == .main { return MainThread.shared.call() }
    // A stopped queue does not enter its target, which may change before the activation.
    if isStopped && parkDrain() { return }
    if let target {
      target.add(.drain(self), for: cause)
    } else {
      let own = destination.value.qosClass
      let qos = max(own, cause.qos ?? own)
      if cause.isDelivery { return pool.submitDelivery(self, qos: qos) }
      pool.submit(self, qos: qos)
    }
  }

  /// Whether other work waits for the thread that drains this queue.
  var othersWait: Bool {
    if kind == .main { return false }
    // A queue with a target rejoins its target's list in any case, which costs little and is fair.
    return target != nil || pool.hasWaitingJobs(qos: destination.value.qosClass)
  }

  /// Stops the program in a child of a fork.
  ///
  /// The pool is read only then, because many threads share its memory.
  @inline(__always)
  func checkProcess() {
    if generation == ProcessGeneration.current { return }
    if kind == .main { MainThread.shared.checkProcess() } else { pool.checkProcess() }
  }

  /// Adds work.
  func add(
    _ work: consuming QueuedWork,
    isBarrier: Bool = false,
    for cause: DrainCause = DrainCause(),
    in memory: WorkMemory? = nil
  ) {
    let isBarrier = (isBarrier || runsOneByOne) && kind != .global
    core.add(work, isBarrier: isBarrier, in: self, for: cause, memory: memory)
  }
}
