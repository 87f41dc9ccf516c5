import DataRegions
import QueueRuntime
import RequestEngine
import SystemCalls

/// A channel without its face: it lives until its operations have ended, not only as long as
/// somebody holds the `IOChannel`.
final class ChannelCore: OperationObserver {
  let descriptor: BorrowedDescriptor
  let kind: IOChannel.Kind
  private let engine: Engine
  private let account: MemoryBudget.Account
  /// What is known of the descriptor and where random offsets count from, or why there is nothing.
  private let opening: Result<(traits: DescriptorTraits, base: Int64), Errno>
  /// How long the file was when the channel was made: good enough to plan reads.
  private let size: Int
  private let cleanupQueue: WorkQueue
  private let cleanupHandler: @Sendable (Errno?) -> Void
  private let state: BargingLock<ChannelState>

  init(
    kind: IOChannel.Kind,
    descriptor: BorrowedDescriptor,
    engine: Engine,
    queue: WorkQueue,
    cleanupHandler: @escaping @Sendable (Errno?) -> Void
  ) {
    self.kind = kind
    self.descriptor = descriptor
    self.engine = engine
    account = engine.budget.makeAccount()
    cleanupQueue = queue
    self.cleanupHandler = cleanupHandler
    state = BargingLock(ChannelState(limits: DeliveryLimits(step: engine.sizes.step)))
    var size = 0
    do throws(Errno) {
      let traits = try DescriptorTraits(of: descriptor, size: &size)
      opening = .success((traits, kind == .random ? try descriptor.position() : 0))
    } catch {
      opening = .failure(error)
    }
    self.size = size
    if case .failure = opening { close(stops: false) }
  }

  var openingError: Errno? {
    guard case .failure(let error) = opening else { return nil }
    return error
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  func changeLimits(_ body: (inout DeliveryLimits) -> Void) {
    state.withLock { body(&$0.limits) }
  }

  /// The most bytes of one transfer.
  var step: Int { engine.sizes.step }

  @discardableResult
  func read(
    offset: Int64,
    length: Int,
    extent: ReadExtent = .whole,
    queue: WorkQueue,
    handler: @escaping IOChannel.Handler
  ) -> (any ChannelOperation)? {
    submit(.read, offset: offset, queue: queue, refused: nil, handler) {
      [size, engine] traits, limits in
      let mayRunAhead = traits.kind == .seekable && extent == .whole
      var window = mayRunAhead ? ReadWindow.ahead : .inOrder
      window.bytes = engine.sizes.window
      return BufferedRead(
        ReadProgress(
          length: length,
          extent: extent,
          sizeHint: length > limits.step ? size : length,
          limits: limits,
          window: window
        ),
        pool: engine.buffers
      )
    }
  }

  @discardableResult
  func write(
    offset: Int64,
    data: DataBuffer,
    queue: WorkQueue,
    handler: @escaping IOChannel.Handler
  ) -> (any ChannelOperation)? {
    submit(.write, offset: offset, queue: queue, refused: data, handler) { _, limits in
      WriteProgress(data, limits: limits)
    }
  }

  /// Makes a request that is no transfer, alone among the operations of the descriptor.
  func perform(
    _ request: Request.Operation,
    at offset: Int64?,
    queue: WorkQueue,
    handler: @escaping IOChannel.Handler
  ) -> (any ChannelOperation)? {
    take(queue: queue, refused: nil, handler) { number, _ in
      FileOperation(
        number: number,
        request,
        at: offset,
        target: (engine, descriptor),
        queue: queue,
        observer: self,
        handler: handler
      )
    }
  }

  /// Takes a transfer, or answers it at once.
  private func submit<Work: TransferWork>(
    _ direction: Direction,
    offset: Int64,
    queue: WorkQueue,
    refused: DataBuffer?,
    _ handler: @escaping IOChannel.Handler,
    makeWork: (DescriptorTraits, DeliveryLimits) -> Work
  ) -> (any ChannelOperation)? {
    guard case .success(let (traits, base)) = opening else {
      queue.async { [openingError] in handler(true, refused, openingError) }
      return nil
    }
    let target = OperationTarget(
      engine: engine,
      descriptor: descriptor,
      traits: traits,
      place: place(direction, offset: offset, base: base, traits: traits),
      account: account
    )
    let line = line(direction, traits)
    return take(queue: queue, refused: refused, handler) { number, limits in
      TransferOperation(
        number: number,
        line: line,
        target: target,
        work: makeWork(traits, limits),
        queue: queue,
        observer: self,
        handler: handler
      )
    }
  }

  private func take(
    queue: WorkQueue,
    refused: DataBuffer?,
    _ handler: @escaping IOChannel.Handler,
    make: (_ number: Int, DeliveryLimits) -> some ChannelOperation
  ) -> (any ChannelOperation)? {
    let operation = change { state, actions in state.submit(&actions, make: make) }
    if operation == nil { queue.async { handler(true, refused, .canceled) } }
    return operation
  }

  func barrier(_ body: @escaping @Sendable () -> Void) {
    change { state, actions in state.submitBarrier(body, &actions) }
  }

  func close(stops: Bool) {
    let stopped = change { state, actions in
      state.close(&actions)
      return stops ? state.openOperations : []
    }
    // One that ends lets others begin, which have to know of the stop by then.
    for operation in stopped { operation.forbidStart(.canceled) }
    for operation in stopped { operation.stop(.canceled) }
  }

  func operationEnded(_ operation: any ChannelOperation) {
    change { state, actions in state.ended(on: operation.line, &actions) }
  }

  func handlersReturned(from operation: any ChannelOperation) {
    change { state, actions in state.handlersReturned(number: operation.number, &actions) }
  }

  /// Changes the state under the lock and does what follows from it outside.
  @discardableResult
  private func change<R>(_ body: (inout ChannelState, inout [ChannelState.Action]) -> R) -> R {
    var (result, actions) = state.withLock { state in
      var actions: [ChannelState.Action] = []
      let result = body(&state, &actions)
      return (result, actions)
    }
    var index = 0
    // Operations that end as they begin let others begin: in turns, so that the stack stays flat.
    while index < actions.count {
      switch actions[index] {
      case .start(let operation):
        guard operation.start() else { break }
        state.withLock { $0.ended(on: operation.line, &actions) }
      case .runBarrier(let body):
        runBarrier(body)
      case .cleanUp:
        let error = openingError
        cleanupQueue.async { [cleanupHandler] in cleanupHandler(error) }
      }
      index += 1
    }
    return result
  }

  private func runBarrier(_ body: @escaping @Sendable () -> Void) {
    engine.queue.async { [self] in
      body()
      change { state, actions in state.barrierEnded(&actions) }
    }
  }

  private func line(
    _ direction: Direction,
    _ traits: DescriptorTraits
  ) -> OperationLine {
    if kind == .random { return .positioned }
    #if MUTANTS
      if Mutant.directionsWaitForEachOther.isActive { return .first }
    #endif
    return direction == .write && traits.kind == .pollable ? .second : .first
  }

  /// Where an operation finds its bytes.
  private func place(
    _ direction: Direction,
    offset: Int64,
    base: Int64,
    traits: DescriptorTraits
  ) -> OperationTarget.Place {
    switch kind {
    case .random:
      let (sum, isOverflow) = base.addingReportingOverflow(offset)
      return isOverflow || sum < 0 ? .nowhere : .offset(sum)
    case .stream where traits.kind == .pollable || direction == .write && traits.isAppending:
      return .kernel
    case .stream:
      return .filePosition
    }
  }
}
