/// Runs closures in the order in which they were submitted, one after the other.
public final class WorkQueue: Sendable {
  /// The name given at creation, for people.
  public let label: String

  private let lane: SerialLane

  /// Makes a queue whose closures run on the shared workers.
  public convenience init(label: String) {
    self.init(label: label, pool: .shared)
  }

  /// Makes a queue whose closures run on the workers of a pool.
  package init(label: String, pool: WorkerPool) {
    self.label = label
    lane = SerialLane(pool: pool)
  }

  /// Submits a closure and returns at once.
  ///
  /// The closure and the queue are kept until it has run. A group is entered now and left when the
  /// closure has run and what it holds is released.
  public func async(group: WorkGroup? = nil, execute body: @escaping @Sendable () -> Void) {
    guard let group else { return lane.async(.run(body)) }
    group.enter()
    lane.async(.runInGroup(body, group))
  }

  /// Runs a closure in its turn on the calling thread and returns what it returns.
  ///
  /// - Precondition: The caller is not a closure that this queue runs.
  /// - Throws: What the closure throws.
  public func sync<Result: ~Copyable, Failure: Error>(
    execute body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try lane.sync(body)
  }
}
