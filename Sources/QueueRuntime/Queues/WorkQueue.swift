/// Runs closures in the order in which they were submitted, one after the other or side by side.
///
/// A serial queue runs one closure at a time. A concurrent queue starts them in order and lets them
/// run side by side, except for those submitted as barriers. All members may be called on any
/// thread. A queue may be let go of at any time, also by a closure that it runs: it stays until
/// everything submitted has run. What waits in a queue has no bound but memory.
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
  }

  private enum Lane: Sendable {
    case serial(SerialLane)
    case concurrent(ConcurrentLane, hasBarriers: Bool)
  }

  private static let globalQueue = WorkQueue(
    label: "global",
    lane: .concurrent(ConcurrentLane(pool: .shared), hasBarriers: false)
  )

  /// The name given at creation, for people.
  public let label: String

  private let lane: Lane

  private init(label: String, lane: Lane) {
    self.label = label
    self.lane = lane
  }

  /// Makes a queue whose closures run on the shared workers.
  public convenience init(label: String, attributes: Attributes = []) {
    self.init(label: label, attributes: attributes, pool: .shared)
  }

  /// Makes a queue whose closures run on the workers of a pool.
  package convenience init(label: String, attributes: Attributes = [], pool: WorkerPool) {
    let isConcurrent = attributes.contains(.concurrent)
    self.init(
      label: label,
      lane: isConcurrent
        ? .concurrent(ConcurrentLane(pool: pool), hasBarriers: true)
        : .serial(SerialLane(pool: pool))
    )
  }

  /// The concurrent queue that all parts of a program share.
  ///
  /// It takes no barriers: they run as if they were none.
  public static func global() -> WorkQueue { globalQueue }
}

extension WorkQueue {
  /// Submits a closure and returns at once.
  ///
  /// A group is entered now and left when the closure has run and what it holds is released.
  public func async(
    group: WorkGroup? = nil,
    flags: WorkItemFlags = [],
    execute body: @escaping @Sendable () -> Void
  ) {
    group?.enter()
    let work: QueuedWork = if let group { .runInGroup(body, group) } else { .run(body) }
    switch lane {
    case .serial(let lane):
      lane.async(work)
    case .concurrent(let lane, let hasBarriers):
      lane.async(work, isBarrier: hasBarriers && flags.contains(.barrier))
    }
  }

  /// Runs a closure in its turn on the calling thread and returns what it returns.
  ///
  /// Nothing is copied or allocated when the queue is idle.
  ///
  /// - Precondition: The caller is neither a closure of this serial queue nor a barrier of this
  ///   concurrent queue, nor called by one: it would wait for itself. A closure of a concurrent
  ///   queue may neither run a barrier of it so, nor anything while a barrier waits there; that is
  ///   not checked, and never returns.
  /// - Throws: What the closure throws.
  public func sync<Result: ~Copyable, Failure: Error>(
    flags: WorkItemFlags = [],
    execute body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch lane {
    case .serial(let lane):
      return try lane.sync(body)
    case .concurrent(let lane, let hasBarriers):
      if hasBarriers && flags.contains(.barrier) { return try lane.barrierSync(body) }
      return try lane.sync(body)
    }
  }
}
