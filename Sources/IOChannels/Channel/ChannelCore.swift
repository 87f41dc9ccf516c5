import DataRegions
import QueueRuntime
import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem
import Synchronization

/// The implementation of a channel, which exists until its operations have ended, even after the
/// program has released the `IOChannel`.
final class ChannelCore: Sendable {
  let entry: DescriptorEntry
  let number: Int
  let kind: IOChannel.StreamType
  let engine: Engine
  let account: MemoryBudget.Account
  private let cleanup: ChannelCleanup?
  private let cleanupProgress = BargingLock(CleanupProgress.pending([]))
  /// The position at which calls of tasks continue that have no offset.
  let position = ChannelPosition()
  /// The error number of the first operation that failed, or 0.
  private let failure = Atomic<Int32>(0)
  /// The context that a program attaches to the channel.
  let attachment = ColdState(ObjectContext())

  init(
    _ entry: DescriptorEntry,
    number: Int,
    kind: IOChannel.StreamType,
    account: MemoryBudget.Account,
    cleanup: ChannelCleanup?
  ) {
    self.entry = entry
    engine = entry.engine
    self.number = number
    self.kind = kind
    self.account = account
    self.cleanup = cleanup
  }

  deinit {
    let target = state?.settings.target
    entry.forget(number)
    let disposal = attachment.read(\.disposal)
    if let disposal { (target ?? engine.queue).async(execute: disposal) }
  }

  /// The state of the channel, nil after it was removed.
  var state: ChannelState? { entry.change { state, _ in state.channels[number] } }

  /// The error of the first operation that failed, once its last handler has returned.
  var firstFailure: SystemError? { SystemError(errno: failure.load(ordering: .relaxed)) }

  /// The number of the descriptor, -1 where it is not available.
  var fileDescriptor: Int32 { entry.descriptorNumber(for: number) }

  func changeSettings(_ body: (inout ChannelSettings) -> Void) {
    // The old settings are the result, so they are released outside of the lock.
    _ = entry.change { state, _ in state.changeSettings(of: number, body) }
  }

  /// Takes memory of the channel's account, or adds a waiter for it.
  ///
  /// Like the members below, it saves its callers a reference to an object of the channel.
  ///
  /// - Returns: Whether the memory was taken.
  func take(_ bytes: Int, orCall waiter: any BudgetWaiter) -> Bool {
    account.take(bytes, orCall: waiter)
  }

  /// Releases memory of the channel's account.
  func release(_ bytes: Int) { account.release(bytes) }

  /// Creates memory of at least so many bytes for a request; nil if there is none.
  func makeBuffer(atLeast count: Int) -> PooledBuffer? { engine.makeBuffer(atLeast: count) }

  /// Submits a request to the engine.
  func submit(_ request: Request) { engine.submit(request) }

  /// The largest number of bytes of one transfer.
  var step: Int { engine.sizes.step }

  @discardableResult
  func read(
    offset: Int64,
    length: Int,
    extent: ReadExtent = .whole,
    searchesCache: Bool = false,
    queue: WorkQueue,
    handler: @escaping IOChannel.Handler
  ) -> (any ChannelOperation)? {
    let job = TransferJob.read(length: length, DeliveryLimits(step: step), extent)
    return submit(
      target(.read, offset: offset),
      job,
      isEmpty: length == 0,
      searchesCache: searchesCache,
      queue: queue,
      refused: nil,
      handler
    )
  }

  @discardableResult
  func write(
    offset: Int64,
    data: DataBuffer,
    queue: WorkQueue,
    handler: @escaping IOChannel.Handler
  ) -> (any ChannelOperation)? {
    let job = TransferJob.write(data, DeliveryLimits(step: step))
    let target = target(.write, offset: offset)
    return submit(target, job, isEmpty: data.isEmpty, queue: queue, refused: data, handler)
  }

  /// The length of the open file when it was examined, if it was small then.
  var smallFileSize: Int? { entry.changeOnly { state in state.openFile?.smallSize } }

  /// Submits an operation that is no transfer.
  func perform(
    _ action: FileOperation.Action,
    queue: WorkQueue,
    handler: @escaping IOChannel.Handler
  ) -> FileOperation? {
    let (operation, refusal) = take { operation, settings in
      FileOperation(
        operation,
        of: self,
        action,
        queue: queue,
        classQueue: settings.target ?? queue,
        handler: handler
      )
    }
    if let refusal { queue.deliver { handler(true, nil, refusal.rawValue) } }
    return operation
  }

  private func target(_ direction: Direction, offset: Int64) -> OperationTarget {
    OperationTarget(channel: self, direction: direction, offset: offset)
  }

  /// Submits an operation, or completes it at once with an error.
  private func submit(
    _ target: OperationTarget,
    _ job: TransferJob,
    isEmpty: Bool,
    searchesCache: Bool = false,
    queue: WorkQueue,
    refused: DataBuffer?,
    _ handler: @escaping IOChannel.Handler
  ) -> (any ChannelOperation)? {
    let operation = TransferStorage(
      target,
      job,
      isEmpty: isEmpty,
      searchesCache: searchesCache,
      queue: queue,
      handler: handler
    )
    switch entry.change({ state, actions in state.submit(operation, &actions) }) {
    case .failure(let refusal):
      queue.deliver { handler(true, refused, refusal.rawValue) }
      return nil
    case .success(let interval):
      if let interval { operation.tick(every: interval) }
      return operation
    }
  }

  /// Adds an operation to the order, or returns the reason for its refusal.
  private func take<Operation: ChannelOperation>(
    _ make: (OperationID, ChannelSettings) -> Operation
  ) -> (Operation?, SystemError?) {
    var made: Operation?
    let refusal = entry.change { state, actions in
      state.submit(to: number, &actions) { id, settings in
        let operation = make(id, settings)
        made = operation
        return operation
      }
    }
    return (made, refusal)
  }

  func barrier(_ body: @escaping @Sendable () -> Void) {
    let handler = OnceHandler<Void>(body)
    entry.change { [engine, number] state, actions in
      let target = state.channels[number]?.settings.target
      let queue = target ?? engine.queue
      let barrier = ChannelBarrier(channel: number, queue: queue, body: handler)
      state.submitBarrier(barrier, &actions)
    }
  }

  func close(stops: Bool) {
    let stopped = entry.change { state, actions in
      state.close(channel: number, stops: stops, &actions)
    }
    for operation in stopped { operation.stop(.canceled) }
  }

  func cleanUp(_ error: SystemError?) {
    guard let cleanup else { return endCleanup(with: error) }
    cleanup.queue.deliver { [self] in
      let reported = cleanup.reportsOpening ? error : state?.creationError
      cleanup.handler.run(reported.number)
      endCleanup(with: error)
    }
  }

  private func endCleanup(with error: SystemError?) {
    for promise in cleanupProgress.withLock({ $0.end(with: error) }) { promise.set(error) }
  }

  /// Waits until the cleanup handler has returned, and returns its argument.
  func cleanupError() async -> SystemError? {
    let promise = Promise<SystemError?>()
    if case .done(let error) = cleanupProgress.withLock({ $0.add(promise) }) { return error }
    return await promise.take()
  }

  /// Records that an operation has ended after it began, and that its last delivery was submitted
  /// to the handler's queue.
  ///
  /// `isCached` is the result of the operation's search in the page cache, if it made one.
  func operationEnded(_ operation: any ChannelOperation, isCached: Bool? = nil) {
    entry.change { state, actions in
      if let isCached { state.searched(found: isCached) }
      state.ended(on: operation.ordering, &actions)
    }
  }

  /// Records that the last handler of an operation has returned, with the operation's error.
  func handlersReturned(from operation: any ChannelOperation, _ error: SystemError?) {
    if let error {
      _ = failure.compareExchange(expected: 0, desired: error.rawValue, ordering: .relaxed)
    }
    entry.change { state, actions in
      state.handlersReturned(channel: number, operation.id, &actions)
    }
  }
}

/// The progress of a channel's cleanup.
private enum CleanupProgress {
  /// The cleanup handler has not returned; these promises wait for it.
  case pending([Promise<SystemError?>])
  /// The cleanup handler has returned; its argument was the error.
  case done(SystemError?)

  /// Records that the cleanup handler has returned, and returns the promises that wait for it.
  mutating func end(with error: SystemError?) -> [Promise<SystemError?>] {
    guard case .pending(let waiting) = self else { return [] }
    self = .done(error)
    return waiting
  }

  /// Adds a promise, unless the cleanup is done, and returns the progress.
  mutating func add(_ promise: Promise<SystemError?>) -> CleanupProgress {
    if case .pending(let waiting) = self { self = .pending(waiting + [promise]) }
    return self
  }
}

/// The cleanup handler of a channel, and its queue.
struct ChannelCleanup: Sendable {
  let queue: WorkQueue
  let handler: OnceHandler<Int32>
  /// Whether the handler gets the error of the opening as well as that of the creation.
  let reportsOpening: Bool

  init(
    queue: WorkQueue,
    reportsOpening: Bool = true,
    handler: @escaping @Sendable (Int32) -> Void
  ) {
    self.queue = queue
    self.reportsOpening = reportsOpening
    self.handler = OnceHandler(handler)
  }
}
