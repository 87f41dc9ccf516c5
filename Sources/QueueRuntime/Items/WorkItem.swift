internal import Synchronization
internal import IOChannelsLocks

/// A closure that can be waited for, that can notify others, and that can be cancelled before it
/// runs.
///
/// An item may be submitted to several queues and run several times; waits and notifications refer
/// to the first run (<doc:Rules#S85>). All members may be called on any thread.
public final class WorkItem: Sendable {
  /// The item's quality of service.
  public let qos: WorkQueue.QoS

  /// The options for running the item.
  public let flags: Flags

  /// A closure as a type of its own, because a generic type would store another closure around it.
  private struct Body: Sendable {
    let call: @Sendable () -> Void
  }

  /// The closure, nil once the item was cancelled. This lock keeps it in the memory of the item.
  private let body: Mutex<Body?>
  let word = AtomicState(ItemWord())
  /// A group that is entered until the first run of the item; created for the first follower.
  private let followers = SetOnceReference<WorkGroup>()

  /// Creates an item from a closure.
  @preconcurrency
  public init(
    qos: WorkQueue.QoS = .unspecified,
    flags: Flags = [],
    block: @escaping @Sendable () -> Void
  ) {
    let takesQoS = qos == .unspecified && flags.contains(.assignCurrentContext)
    self.qos = takesQoS ? WorkQueue.current.qos : qos
    self.flags = flags
    body = Mutex(Body(call: block))
  }

  /// Notifies the followers of an item that will not run any more.
  deinit {
    if word.now.runs == 0 { followers.load()?.leave() }
  }

  /// Runs the closure on the calling thread, unless the item was cancelled.
  ///
  /// Both cases count as a run.
  ///
  /// - Precondition: This is the first run, or no wait for the item was started, apart from those
  ///   that have timed out or were cancelled.
  public func perform() {
    // The closure is released a moment after the cancellation.
    if !isCancelled, let body = body.withLock({ $0 }) { body.call() }
    if word.change(\.performed).answer { followers.load()?.leave() }
  }

  /// Prevents further runs of the closure; a run that has started continues.
  ///
  /// The objects that the closure captures are released at once, or at the end of a run that has
  /// started (<doc:Rules#S326>).
  public func cancel() {
    word.change(\.cancelled)
    let released = body.withLock { $0.take() }
    // Their code must not run under the lock.
    withExtendedLifetime(released) {}
  }

  /// A Boolean value that indicates whether the item was cancelled.
  public var isCancelled: Bool { word.now.isCancelled }

  /// Blocks the calling thread until the item has run or was skipped because it was cancelled.
  ///
  /// A task awaits ``completion()`` instead.
  ///
  /// - Precondition: The item runs at most once, and this is its first wait, apart from those that
  ///   have timed out or were cancelled.
  @available(*, noasync, message: "In a task write 'try await item.completion()'")
  public func wait() {
    word.change(\.awaited)
    firstRun?.wait()
  }

  /// Submits a closure to a queue when the item has run or is released, or at once if it has run
  /// already.
  ///
  /// Any number of closures may follow an item; those that wait for its run are submitted in the
  /// order of these calls.
  @preconcurrency
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

  /// Submits another item to a queue when this one has run or is released.
  public func notify(queue: WorkQueue, execute item: WorkItem) {
    notify(qos: item.qos, flags: item.flags, queue: queue) { item.perform() }
  }

  /// Waits for the first run with a function that may time out.
  func wait(by wait: (WorkGroup) -> WaitResult) -> WaitResult {
    word.change(\.awaited)
    guard let firstRun else { return .success }
    let result = wait(firstRun)
    if result == .timedOut { word.change(\.unawaited) }
    return result
  }

  /// The group of the first run; nil when the item ran before the first follower was added.
  var firstRun: WorkGroup? {
    if word.now.runs > 0 && !word.now.isFollowed { return nil }
    let group = followers.load() ?? followers.storeIfNil(Self.entered())
    // The item may be running at this moment: then no thread leaves the group.
    return word.change(\.followed).answer ? group : nil
  }

  private static func entered() -> WorkGroup {
    let group = WorkGroup()
    group.enter()
    return group
  }
}
