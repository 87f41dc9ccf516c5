internal import Synchronization

/// A closure that can be waited for, followed by others, and cancelled before it runs.
///
/// An item may be submitted to several queues and run several times; waiting and notifying concern
/// the first run (S85). All members may be called on any thread.
public final class WorkItem: Sendable {
  /// How urgent the item is.
  public let qos: WorkQueue.QoS

  /// How queues treat the item.
  public let flags: Flags

  private let body: @Sendable () -> Void
  private let word = AtomicState(ItemWord())
  /// Entered until the item has run for the first time; there once somebody wishes to hear of that.
  private let followers = AtomicLazyReference<WorkGroup>()

  /// Makes an item of a closure.
  public init(
    qos: WorkQueue.QoS = .unspecified,
    flags: Flags = [],
    block: @escaping @Sendable () -> Void
  ) {
    let takesQoS = qos == .unspecified && flags.contains(.assignCurrentContext)
    self.qos = takesQoS ? WorkQueue.current.qos : qos
    self.flags = flags
    body = block
  }

  /// Tells those who follow an item that will not run any more.
  deinit {
    if word.now.runs == 0 { followers.load()?.leave() }
  }

  /// Runs the closure on the calling thread, unless the item was cancelled.
  ///
  /// Either way that counts as a run (S85).
  ///
  /// - Precondition: Nobody waits or has waited for the item, or it runs for the first time.
  public func perform() {
    if !isCancelled { body() }
    if word.change(\.performed).answer { followers.load()?.leave() }
  }

  /// Keeps the closure from running from now on; a run that has begun goes on.
  public func cancel() {
    word.change(\.cancelled)
  }

  /// Whether the item was cancelled.
  public var isCancelled: Bool { word.now.isCancelled }

  /// Blocks the calling thread until the item has run or its run was passed over.
  ///
  /// A task awaits ``completion()`` instead.
  ///
  /// - Precondition: Nobody else waits or has waited for the item, and it runs no more than once.
  @available(*, noasync, message: "In a task write 'await item.completion()'")
  public func wait() {
    word.change(\.awaited)
    firstRun?.wait()
  }

  /// Suspends the calling task until the item has run, whether cancelled or not.
  ///
  /// - Precondition: As with ``wait()``.
  public func completion() async {
    word.change(\.awaited)
    await firstRun?.completion()
  }

  /// Submits a closure to a queue once the item has run or was let go of, at once if it has run.
  ///
  /// Any number of closures may follow an item; those that wait for its run are submitted in the
  /// order of these calls.
  public func notify(
    qos: WorkQueue.QoS = .unspecified,
    flags: Flags = [],
    queue: WorkQueue,
    execute body: @escaping @Sendable () -> Void
  ) {
    if let firstRun {
      firstRun.notify(qos: qos, flags: flags, queue: queue, execute: body)
    } else {
      queue.async(qos: qos, flags: flags, execute: body)
    }
  }

  /// Submits another item to a queue once this one has run or was let go of.
  public func notify(queue: WorkQueue, execute item: WorkItem) {
    notify(qos: item.qos, flags: item.flags, queue: queue) { item.perform() }
  }

  /// Waits for the first run in a way that can end before it.
  func wait(by wait: (WorkGroup) -> WaitResult) -> WaitResult {
    word.change(\.awaited)
    guard let firstRun else { return .success }
    let result = wait(firstRun)
    if result == .timedOut { word.change(\.unawaited) }
    return result
  }

  /// What is left after the first run; nil when that was before anybody wished to hear of it.
  private var firstRun: WorkGroup? {
    if word.now.runs > 0 && !word.now.isFollowed { return nil }
    let group = followers.load() ?? followers.storeIfNil(Self.entered())
    // The item runs at this moment, maybe: then nobody leaves the group.
    return word.change(\.followed).answer ? group : nil
  }

  private static func entered() -> WorkGroup {
    let group = WorkGroup()
    group.enter()
    return group
  }
}
