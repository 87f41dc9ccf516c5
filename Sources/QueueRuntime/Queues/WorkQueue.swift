internal import Synchronization

/// Runs closures in the order in which they were submitted, one after the other or side by side.
///
/// A serial queue runs one closure at a time. A concurrent queue starts them in order and lets them
/// run side by side, except for those submitted as barriers. What a queue runs, it runs as work of
/// its target, another queue, so that a serial target makes one order of several queues. Queues
/// without a target run on the workers of a pool.
///
/// All members may be called on any thread. A queue may be let go of at any time unless it is
/// suspended or inactive, also by a closure that it runs: it stays until everything submitted has
/// run. What waits in a queue has no bound but memory.
public final class WorkQueue: Sendable {
  /// What kind of queue to make.
  public struct Attributes: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Makes a set of its bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Closures run side by side.
    public static let concurrent = Attributes(rawValue: 1)

    /// The queue starts nothing before it is activated.
    public static let initiallyInactive = Attributes(rawValue: 2)
  }

  /// What sets some queues apart from those that programs make.
  enum Kind: Sendable {
    case own
    /// Shared by all parts of the program: without barriers, stops and targets.
    case global
    /// Drained by the main thread.
    case main
  }

  /// Where a queue's work is run.
  struct Home: Sendable {
    /// The queue as whose work it is run, nil for the pool's workers.
    var target: WorkQueue?
    /// The class in which the pool's workers are asked, never unspecified.
    var qosClass: QoS.QoSClass
  }

  /// What a program hangs on a queue.
  struct Attachments: Sendable {
    var specifics: [ObjectIdentifier: any Sendable] = [:]
    var context = ObjectContext()
  }

  /// The name given at creation, for people.
  public let label: String

  /// How urgent the work is, as given at creation.
  public let qos: QoS

  let kind: Kind
  let lane: any Lane
  let pool: WorkerPool
  /// Whether it may be retargeted after its activation.
  let isRetargetable: Bool
  let suspension: AtomicState<SuspensionWord>
  let home: HeldValue<Home>
  /// The class of the home, which others than the holder may read.
  let shownClass: Atomic<UInt8>
  let attachments = RareState(Attachments())
  private let generation = ProcessGeneration.current

  init(
    label: String,
    qos: QoS,
    kind: Kind = .own,
    lane: any Lane,
    pool: WorkerPool,
    home: Home,
    isActive: Bool = true
  ) {
    self.label = label
    self.qos = qos
    self.kind = kind
    self.lane = lane
    self.pool = pool
    self.home = HeldValue(home)
    shownClass = Atomic(home.qosClass.rawValue)
    isRetargetable = isActive && home.target == nil
    suspension = AtomicState(isActive ? SuspensionWord() : .initiallyInactive)
  }

  deinit {
    let word = suspension.now
    requireUse(word.suspensions == 0, "A queue is not released while it is suspended.", "S84")
    requireUse(!word.isInactive, "A queue is not released before it is activated.", "S84")
    let disposal = attachments.look(\.context.disposal)
    // In a child of a fork nobody is there to run it.
    guard pool.isOfThisProcess, WorkerPool.shared.isOfThisProcess else { return }
    if let disposal { (target ?? .global(qos: home.value.qosClass)).async(execute: disposal) }
    disposeOfSpecifics()
  }

  /// Makes a queue.
  ///
  /// - Parameters:
  ///   - label: A name for people.
  ///   - qos: How urgent the work is; when unspecified, as urgent as that of the target.
  ///   - attributes: What kind of queue; a serial one that is active by default.
  ///   - target: The queue as whose work everything is run, nil for the shared workers.
  public convenience init(
    label: String,
    qos: QoS = .unspecified,
    attributes: Attributes = [],
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

  /// Makes a queue whose closures run on the workers of a pool of one's own.
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
      lane: attributes.contains(.concurrent) ? ConcurrentLane() : SerialLane(),
      pool: pool,
      home: Home(target, for: qos),
      isActive: !attributes.contains(.initiallyInactive)
    )
  }
}

extension WorkQueue.Home {
  /// The place of a queue that targets `target`.
  ///
  /// A global queue stands for the pool's workers of its class.
  init(_ target: WorkQueue?, for qos: WorkQueue.QoS) {
    let own = qos.qosClass
    if let target, target.kind == .global {
      self.init(target: nil, qosClass: own == .unspecified ? target.qos.qosClass : own)
    } else {
      self.init(target: target, qosClass: own == .unspecified ? .default : own)
    }
  }
}

extension WorkQueue {
  /// Whether closures of the queue run one after the other.
  var isSerial: Bool { lane.isSerial }

  /// The class in which the queue's work runs, its own or that of its target; for anybody.
  package var effectiveClass: QoS.QoSClass {
    QoS.QoSClass(rawValue: shownClass.load(ordering: .relaxed)) ?? .default
  }

  /// The queue as whose work this one's is run; only for those who hold it.
  var target: WorkQueue? { home.value.target }
}

// MARK: - Draining

extension WorkQueue: PoolJob {
  /// Drains the queue, on a thread of its target.
  package func run() {
    lane.drain(self)
  }

  /// Has the queue drained once it is not stopped; only its holder may call this.
  func submitDrain(_ cause: DrainCause) {
    if kind == .main { return MainThread.shared.call() }
    // A stopped queue does not go into its target, which may change before the activation.
    if isStopped && parkDrain() { return }
    if let target {
      target.add(.drain(self), for: cause)
    } else {
      let own = home.value.qosClass
      let qos = max(own, cause.qos ?? own)
      if cause.isDelivery { return pool.submitDelivery(self, qos: qos) }
      pool.submit(self, qos: qos)
    }
  }

  /// Whether other work waits for the thread that drains this queue.
  var othersWait: Bool {
    if kind == .main { return false }
    // A queue with a target goes to its end in any case, which costs little and is fair.
    return target != nil || pool.hasWaitingJobs(qos: home.value.qosClass)
  }

  /// Stops the program in a child of a fork.
  ///
  /// The pool is asked only then: its memory is that of many threads.
  @inline(__always)
  func checkProcess() {
    if generation == ProcessGeneration.current { return }
    if kind == .main { MainThread.shared.checkProcess() } else { pool.checkProcess() }
  }

  /// Adds work.
  func add(
    _ work: consuming QueuedWork,
    isBarrier: Bool = false,
    for cause: DrainCause = DrainCause()
  ) {
    lane.add(work, isBarrier: isBarrier && kind != .global, in: self, for: cause)
  }
}
