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
  /// Entered until the item has run for the first time.
  private let firstRun = WorkGroup()

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
    firstRun.enter()
  }

  /// Tells those who follow an item that will not run any more.
  deinit {
    if word.now.runs == 0 { firstRun.leave() }
  }

  /// Runs the closure on the calling thread, unless the item was cancelled.
  ///
  /// Either way that counts as a run (S85).
  ///
  /// - Precondition: Nobody waits or has waited for the item, or it runs for the first time.
  public func perform() {
    if !isCancelled { body() }
    if word.change(\.performed).answer { firstRun.leave() }
  }

  /// Keeps the closure from running from now on; a run that has begun goes on.
  public func cancel() {
    word.change(\.cancelled)
  }

  /// Whether the item was cancelled.
  public var isCancelled: Bool { word.now.isCancelled }

  /// Blocks the calling thread until the item has run or its run was passed over.
  ///
  /// - Precondition: Nobody else waits or has waited for the item, and it runs no more than once.
  public func wait() {
    word.change(\.awaited)
    firstRun.wait()
  }

  /// Submits a closure to a queue once the item has run or was let go of, at once if it has run.
  ///
  /// Any number of closures may follow an item; they are submitted in the order of these calls.
  public func notify(
    qos: WorkQueue.QoS = .unspecified,
    flags: Flags = [],
    queue: WorkQueue,
    execute body: @escaping @Sendable () -> Void
  ) {
    firstRun.notify(qos: qos, flags: flags, queue: queue, execute: body)
  }

  /// Submits another item to a queue once this one has run or was let go of.
  public func notify(queue: WorkQueue, execute item: WorkItem) {
    firstRun.notify(queue: queue, work: item)
  }

  /// Waits for the first run in a way that can end before it.
  func wait(by wait: (WorkGroup) -> WaitResult) -> WaitResult {
    word.change(\.awaited)
    let result = wait(firstRun)
    if result == .timedOut { word.change(\.unawaited) }
    return result
  }
}
