import QueueRuntime
import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// A request about a channel's file that transfers no bytes; it runs like a barrier.
final class FileOperation: ChannelOperation {
  private enum State {
    /// Earlier operations of the descriptor have not ended.
    case waiting
    /// The operation was stopped and ends when it starts.
    case stopped(SystemError)
    case inFlight(Request)
    /// The handler was submitted.
    case answered
  }

  let number: Int
  var channel: Int { core.number }
  var ordering: OrderingConstraint { .alone }
  private let operation: Request.Operation
  private let offset: Int64?
  private let queue: WorkQueue
  /// The queue whose quality of service the request has.
  private let classQueue: WorkQueue
  private let core: ChannelCore
  private let handler: OnceHandler<Int32>
  private let state = BargingLock(State.waiting)

  init(
    number: Int,
    of core: ChannelCore,
    _ operation: Request.Operation,
    at offset: Int64?,
    queue: WorkQueue,
    classQueue: WorkQueue,
    handler: @escaping IOChannel.Handler
  ) {
    self.number = number
    self.operation = operation
    self.offset = offset
    self.queue = queue
    self.classQueue = classQueue
    self.core = core
    self.handler = OnceHandler { error in handler(true, nil, error) }
  }

  var channelIdentity: ObjectIdentifier { ObjectIdentifier(core) }

  var isOver: Bool {
    state.withLock { state in if case .answered = state { true } else { false } }
  }

  func start(on file: Result<OpenFile?, SystemError>, mayTryNow: Bool) -> Bool {
    let descriptor: BorrowedDescriptor
    switch file {
    case .success(let file?): descriptor = file.descriptor
    case .success(nil): preconditionFailure("A request about a file begins with the file.")
    case .failure(let error):
      answer(error)
      return true
    }
    let request = Request(
      operation,
      descriptor: descriptor,
      offset: offset,
      priority: classQueue.effectiveClass,
      tag: 0,
      owner: self
    )
    let stopError = state.withLock { state -> SystemError? in
      switch state {
      case .waiting: state = .inFlight(request)
      case .stopped(let error): return error
      case .inFlight, .answered: return .canceled
      }
      return nil
    }
    if let stopError {
      answer(stopError)
      return true
    }
    core.engine.submit(request)
    return false
  }

  func stop(_ error: SystemError) {
    // A change of the file itself can rarely be cancelled; the result is the kernel's.
    if let request = forbid(error) { core.engine.cancel(request) }
  }

  func cancel() {
    guard let request = forbid(.canceled) else { return answer(.canceled) }
    core.engine.cancel(request)
  }

  /// Prevents the start.
  ///
  /// - Returns: The request, if the operation has started.
  private func forbid(_ error: SystemError) -> Request? {
    state.withLock { state -> Request? in
      switch state {
      case .waiting, .stopped: state = .stopped(error)
      case .inFlight(let request): return request
      case .answered: break
      }
      return nil
    }
  }

  func requestEnded(_ request: Request, with result: TransferResult) {
    if case .failure(let error) = result { answer(error) } else { answer(nil) }
    core.operationEnded(self)
  }

  /// Submits the handler, once.
  private func answer(_ error: SystemError?) {
    let isFirst = state.withLock { state -> Bool in
      if case .answered = state { return false }
      // The request keeps its owner, so it is released here.
      state = .answered
      return true
    }
    guard isFirst else { return }
    queue.deliver { [self] in
      handler.run(error.number)
      core.handlersReturned(from: self, error)
    }
  }
}
