import DataRegions
import QueueRuntime
import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// A read or write of a channel: the lock around the state machine, whose actions it performs.
final class TransferStorage: LockedTransfer, ChannelOperation, @unchecked Sendable {
  typealias Machine = TransferStateMachine<PooledBuffer, Request>

  enum Stage {
    /// Earlier operations of the descriptor have not ended, and there is no state machine.
    ///
    /// If the operation was stopped, the error ends it when it starts.
    case waiting(TransferJob, stopError: SystemError?)
    /// A small read waits for memory to search for its bytes in the page cache.
    case waitingToSearch(length: Int, DeliveryLimits, TransferPlace)
    /// A thread searches for the bytes in the page cache.
    ///
    /// If the operation was stopped, the error ends it only after the search, which uses the
    /// descriptor.
    case searching(length: Int, DeliveryLimits, stopError: SystemError?)
    /// The search has found these bytes, which hold memory of the budget until their handler has
    /// returned.
    case found(DataBuffer, memory: Int)
    /// The operation has started, or was cancelled before, and has a state machine.
    case started
  }

  /// The handler, which is wrapped because generic code would allocate a wrapper for a closure.
  struct Handler {
    let call: IOChannel.Handler
  }

  struct State {
    var stage: Stage
    /// The handler, which leaves with the last delivery on its own queue.
    ///
    /// The operation itself may be released on a thread of the engine, which must not free objects
    /// of the program.
    var handler: Handler?
    /// The closure that stops the timer of `tick`.
    var stopTimer: (@Sendable () -> Void)?

    /// Replaces the limits of a job that has not started.
    mutating func limit(by limits: DeliveryLimits) {
      guard case .waiting(let job, let stopError) = stage else { return }
      stage = .waiting(job.limited(by: limits), stopError: stopError)
    }

    var stopError: SystemError? {
      if case .waiting(_, let error) = stage { error } else { nil }
    }

    /// Creates the state machine from the job, which is released.
    ///
    /// The bytes of a search need none, so the result is nil.
    mutating func makeMachine(windowBytes: Int) -> Machine? {
      guard case .waiting(let job, _) = stage else { return nil }
      stage = .started
      return Machine(job, windowBytes: windowBytes, isTimed: stopTimer != nil)
    }
  }

  let ordering: OrderingConstraint
  let target: OperationTarget
  /// The queue of the handler.
  let queue: WorkQueue
  /// The identity in the channel, once the operation is admitted.
  ///
  /// Admission changes this and the properties below while no other thread knows the operation.
  private(set) var id = OperationID(number: 0, slot: 0)
  /// The queue whose quality of service the requests have; nil for that of the handler.
  private(set) var classQueue: WorkQueue?
  /// Whether transferred pages are dropped from the page cache.
  private(set) var isUncached = false
  /// Whether this is a small read that is searched for in the page cache when it has memory.
  private(set) var searchesCache: Bool

  /// Creates an operation that is still to be admitted.
  ///
  /// It is created before the descriptor is locked: a closure under the lock would retain all that
  /// it captures.
  init(
    _ target: OperationTarget,
    _ job: TransferJob,
    isEmpty: Bool,
    searchesCache: Bool,
    queue: WorkQueue,
    handler: @escaping IOChannel.Handler
  ) {
    self.target = target
    self.queue = queue
    self.searchesCache = searchesCache
    ordering = isEmpty ? .immediate : target.ordering
    super.init(State(stage: .waiting(job, stopError: nil), handler: Handler(call: handler)))
  }

  /// Takes the identity, and the settings of the channel, before the operation is submitted.
  func admit(as id: OperationID, with settings: ChannelSettings) {
    self.id = id
    classQueue = settings.target
    isUncached = settings.isUncached
    // Intervals concern the state machine, which a search does without.
    if settings.interval != nil { searchesCache = false }
    let limits = settings.limits
    withUnsharedState { $0.limit(by: limits) }
  }

  var number: Int { id.number }
  var channel: Int { target.channel.number }

  package var channelIdentity: ObjectIdentifier { ObjectIdentifier(target.channel) }

  var isOver: Bool { withMachine { machine, _ in machine.isDone } ?? false }

  func start(on file: Result<OpenFile?, SystemError>, mayTryNow: Bool) -> Bool {
    let place = file.flatMap { file in
      Result<TransferPlace?, SystemError> { () throws(SystemError) in
        try file.map { (file) throws(SystemError) in try target.place(in: file) }
      }
    }
    if case .success(let file?) = file, file.searchesCache, case .success(let place?) = place,
      mayTryNow, let hasEnded = startSearch(at: place)
    {
      return hasEnded
    }
    return perform(startMachine(at: place), mayTryNow: mayTryNow)
  }

  /// Starts the state machine.
  ///
  /// - Returns: The actions that follow.
  func startMachine(at place: Result<TransferPlace?, SystemError>) -> Machine.Actions {
    var actions = Machine.Actions()
    var stopError: SystemError?
    let windowBytes = target.engine.sizes.window
    withMachine(
      madeBy: { state in
        stopError = state.stopError
        return state.makeMachine(windowBytes: windowBytes)
      },
      { machine, _ in machine.start(at: place, stopError: stopError, &actions) }
    )
    return actions
  }

  func stop(_ error: SystemError) { stop(error, endsNow: false) }

  func cancel() { stop(.canceled, endsNow: true) }

  /// Stops the operation; one that has not started ends when it starts, so that ends are in order,
  /// unless it `endsNow`.
  private func stop(_ error: SystemError, endsNow: Bool) {
    var actions = Machine.Actions()
    var place: TransferPlace?
    let windowBytes = target.engine.sizes.window
    withMachine(
      madeBy: { state in
        if state.stopSearch(error) { return nil }
        place = state.endWait(stoppedBy: error)
        if case .waiting(let job, _) = state.stage, place == nil, !endsNow {
          state.stage = .waiting(job, stopError: error)
          return nil
        }
        return state.makeMachine(windowBytes: windowBytes)
      },
      { machine, _ in
        if let place {
          machine.start(at: .success(place), stopError: error, &actions)
        } else {
          machine.stop(error, &actions)
        }
      }
    )
    if perform(consume actions) { target.channel.operationEnded(self) }
  }

  /// Changes the state machine of a started operation, and adds the actions that follow.
  func change(
    _ actions: inout Machine.Actions,
    _ event: (inout Machine, inout Machine.Actions) -> Void
  ) {
    withMachine { machine, _ in event(&machine, &actions) }
  }
}
