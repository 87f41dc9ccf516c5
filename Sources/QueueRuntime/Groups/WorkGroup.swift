public import IOChannelsLocks

/// A counter of running work that reports when all of it has finished.
///
/// A group may be used again after its count has reached 0 (<doc:Rules#S86>). All members may be
/// called on any thread.
public final class WorkGroup: Sendable {
  struct Waiter {
    enum Kind {
      case thread(SyncGate)
      case task(TaskWait)
      case handler(WorkQueue, WorkQueue.QoS, WorkItem.Flags, @Sendable () -> Void)
    }

    var generation: UInt32
    var kind: Kind

    /// Whether it is the waiter with the given gate or wait.
    func has(_ owner: AnyObject) -> Bool {
      switch kind {
      case .thread(let gate): gate === owner
      case .task(let wait): wait === owner
      case .handler: false
      }
    }
  }

  @usableFromInline let word = AtomicState(GroupWord())
  private let waiters = BargingLock<[Waiter]>([])
  package let attachment = ColdState(ObjectContext())

  /// Creates a group with a count of 0.
  public init() {}

  deinit {
    disposeOfContext()
  }

  /// Increments the count.
  ///
  /// The largest count is 2,147,483,647.
  public func enter() { enterInPlace() }

  /// Does the same as `enter`, inlined into the functions of C.
  @inlinable
  @inline(__always)
  package func enterInPlace() {
    _ = word.add(GroupWord.entering).entered
  }

  /// Decrements the count.
  ///
  /// When the count reaches 0, waiting threads are released and handlers are submitted in the order
  /// of the `notify` calls.
  ///
  /// - Precondition: Every call matches an earlier `enter`.
  public func leave() { leaveInPlace() }

  /// Does the same as `leave`, inlined into the functions of C.
  @inlinable
  @inline(__always)
  package func leaveInPlace() {
    let (before, releases) = word.change(\.left)
    if releases { release(before.generation) }
  }

  /// Blocks the calling thread until the count is 0; a task awaits ``completion()`` instead.
  @available(*, noasync, message: "In a task write 'try await group.completion()'")
  public func wait() {
    guard let (gate, _) = addThread() else { return }
    gate.pass()
  }

  /// Submits a closure to a queue when the count reaches 0, or at once if it is already 0.
  ///
  /// Closures that wait for the same count are submitted in the order of these calls. A closure
  /// added just when the count has reached 0 may be submitted before the last of them. Work that
  /// enters the group after the count has reached 0 does not delay the closure (<doc:Rules#S86>).
  @preconcurrency
  public func notify(
    qos: WorkQueue.QoS = .unspecified,
    flags: WorkItem.Flags = [],
    queue: WorkQueue,
    execute body: @escaping @Sendable () -> Void
  ) {
    if add(.handler(queue, qos, flags, body)) == nil {
      queue.async(qos: qos, flags: flags, execute: body)
    }
  }

  /// Submits a work item to a queue when the count reaches 0, or at once if it is already 0.
  public func notify(queue: WorkQueue, work item: WorkItem) {
    notify(qos: item.qos, flags: item.flags, queue: queue) { item.perform() }
  }

  /// Waits until the count is 0 or no time is left; with no time left it only checks the count.
  func wait(_ nanosecondsLeft: () -> Int64) -> WaitResult {
    if nanosecondsLeft() <= 0 {
      return isEmpty ? .success : .timedOut
    }
    guard let (gate, generation) = addThread() else { return .success }
    if gate.pass(nanosecondsLeft) { return .success }
    return withdraw(gate, generation) ? .timedOut : .success
  }

  /// Whether the count is 0.
  var isEmpty: Bool { word.now.count == 0 }

  /// The count at this moment, for debugging.
  package var count: Int { Int(word.now.count) }

  private func addThread() -> (SyncGate, UInt32)? {
    if isEmpty { return nil }
    let gate = SyncGate()
    return add(.thread(gate)).map { (gate, $0) }
  }

  /// Adds a waiter, or returns nil when the count is 0.
  func add(_ kind: Waiter.Kind) -> UInt32? {
    // The lock covers both steps, so that the release of this generation finds the waiter.
    waiters.withLock { waiters in
      let (before, isAdded) = word.change { ($0.awaited ?? $0, $0.count != 0) }
      guard isAdded else { return nil }
      waiters.append(Waiter(generation: before.generation, kind: kind))
      return before.generation
    }
  }

  /// Removes the waiter with a gate or wait, unless it was released.
  ///
  /// - Returns: Whether it was removed.
  /// - Complexity: O(number of waiters)
  func withdraw(_ owner: AnyObject, _ generation: UInt32) -> Bool {
    waiters.withLock { waiters in
      let index = waiters.firstIndex { $0.generation == generation && $0.has(owner) }
      if let index { waiters.remove(at: index) }
      return index != nil
    }
  }

  @inline(never)
  @usableFromInline
  func release(_ generation: UInt32) {
    var released = waiters.withLock { waiters in
      let released = waiters.filter { $0.generation == generation }
      waiters.removeAll { $0.generation == generation }
      return released
    }
    released.reverse()
    while let waiter = released.popLast() { Self.resume((consume waiter).kind) }
  }

  /// Releases a waiter. A handler is passed on without a copy, so its captures are released where
  /// it runs (S82).
  private static func resume(_ kind: consuming Waiter.Kind) {
    switch consume kind {
    case .thread(let gate): gate.open()
    case .task(let wait): wait.end(.event)
    case .handler(let queue, let qos, let flags, let body):
      queue.async(qos: qos, flags: flags, execute: consume body)
    }
  }
}
