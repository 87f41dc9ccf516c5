import SystemCalls

#if MUTANTS
  import RequestEngine
#endif

/// What a channel knows of itself: marks, what is open, what may run, whether it is closed.
struct ChannelState: Sendable {
  typealias Barrier = @Sendable () -> Void

  enum Action: Sendable {
    case start(any ChannelOperation)
    case runBarrier(Barrier)
    /// Calls the cleanup handler, once.
    case cleanUp
  }

  var limits: DeliveryLimits
  private(set) var isClosed = false
  private var order = OperationOrder<any ChannelOperation, Barrier>()
  /// Operations whose last handler has not returned.
  private var open: [Int: any ChannelOperation] = [:]
  private var nextNumber = 0
  private var hasCleanedUp = false

  init(limits: DeliveryLimits) {
    self.limits = limits
  }

  /// Takes an operation into the order, unless the channel is closed.
  ///
  /// `make` makes it with its number; the answer is the operation if it was taken.
  mutating func submit(
    _ actions: inout [Action],
    make: (_ number: Int, DeliveryLimits) -> some ChannelOperation
  ) -> (any ChannelOperation)? {
    if isClosed { return nil }
    let operation = make(nextNumber, limits)
    open[nextNumber] = operation
    nextNumber += 1
    order.submit(operation, on: operation.line)
    advance(&actions)
    return operation
  }

  /// Takes a barrier into the order, also when the channel is closed.
  mutating func submitBarrier(_ barrier: @escaping Barrier, _ actions: inout [Action]) {
    order.submitBarrier(barrier)
    advance(&actions)
  }

  /// Notes that an operation no longer needs the descriptor.
  mutating func ended(on line: OperationLine, _ actions: inout [Action]) {
    order.ended(on: line)
    advance(&actions)
  }

  /// Notes that the last handler of an operation has returned.
  mutating func handlersReturned(number: Int, _ actions: inout [Action]) {
    open[number] = nil
    advance(&actions)
  }

  /// Notes that the code of a barrier has returned.
  mutating func barrierEnded(_ actions: inout [Action]) {
    order.barrierEnded()
    advance(&actions)
  }

  /// Takes no more operations.
  mutating func close(_ actions: inout [Action]) {
    isClosed = true
    advance(&actions)
  }

  /// The operations that are open, in the order of their submission.
  var openOperations: [any ChannelOperation] {
    open.sorted { $0.key < $1.key }.map(\.value)
  }

  private var haveHandlersReturned: Bool {
    #if MUTANTS
      if Mutant.cleanupBeforeLastHandler.isActive { return true }
    #endif
    return open.isEmpty
  }

  private mutating func advance(_ actions: inout [Action]) {
    while let step = order.next() {
      switch step {
      case .start(let operation): actions.append(.start(operation))
      case .runBarrier(let barrier): actions.append(.runBarrier(barrier))
      }
    }
    guard isClosed, !hasCleanedUp, haveHandlersReturned, order.isIdle else { return }
    hasCleanedUp = true
    actions.append(.cleanUp)
  }
}
