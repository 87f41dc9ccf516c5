import QueueRuntime
import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// An operation on a channel's file that transfers no bytes.
final class FileOperation: ChannelOperation {
  /// The action of an operation.
  enum Action: Sendable {
    /// A request about the file, which runs like a barrier.
    case request(Request.Operation, offset: Int64?)
    /// The end of the sending direction of a socket, in the order of its writes.
    ///
    /// The call does not block, so the thread that starts the operation makes it.
    case endOfWriting
  }

  private enum State {
    /// Earlier operations of the descriptor have not ended.
    case waiting
    /// The operation was stopped and ends when it starts.
    case stopped(SystemError)
    /// The request is in flight, or this thread makes the call without a request.
    case running(Request?)
    /// The handler was submitted; the status is that which the request has read, if any.
    case answered(FileStatus?)
  }

  let id: OperationID
  var number: Int { id.number }
  var channel: Int { core.number }
  var ordering: OrderingConstraint { if case .request = action { .alone } else { .writing } }
  var searchesCache: Bool { false }
  private let action: Action
  private let queue: WorkQueue
  /// The queue whose quality of service the request has.
  private let classQueue: WorkQueue
  private let core: ChannelCore
  private let handler: OnceHandler<Int32>
  private let state = BargingLock(State.waiting)

  init(
    _ id: OperationID,
    of core: ChannelCore,
    _ action: Action,
    queue: WorkQueue,
    classQueue: WorkQueue,
    handler: @escaping IOChannel.Handler
  ) {
    self.id = id
    self.action = action
    self.queue = queue
    self.classQueue = classQueue
    self.core = core
    self.handler = OnceHandler { error in handler(true, nil, error) }
  }

  var channelIdentity: ObjectIdentifier { ObjectIdentifier(core) }

  var isOver: Bool {
    state.withLock { state in if case .answered = state { true } else { false } }
  }

  /// The status that the request has read, once it has ended without an error.
  var status: FileStatus? {
    state.withLock { state -> FileStatus? in
      if case .answered(let status) = state { return status }
      return nil
    }
  }

  func start(on file: Result<OpenFile?, SystemError>, mayTryNow: Bool) -> Bool {
    do throws(SystemError) {
      guard let file = try file.get() else {
        IOChannelsSystem.stop(saying: "An operation on a file begins with the file.")
      }
      let request = request(for: file.descriptor)
      let refusal = state.withLock { state -> SystemError? in
        switch state {
        case .waiting: state = .running(request)
        case .stopped(let error): return error
        case .running, .answered: return .canceled
        }
        return nil
      }
      if let refusal { throw refusal }
      if let request {
        core.engine.submit(request)
        return false
      }
      try file.descriptor.shutDownWriting()
      answer(nil)
    } catch {
      answer(error)
    }
    return true
  }

  private func request(for descriptor: BorrowedDescriptor) -> Request? {
    guard case .request(let operation, let offset) = action else { return nil }
    return Request(
      operation,
      descriptor: descriptor,
      offset: offset,
      priority: classQueue.effectiveClass,
      tag: 0,
      owner: self
    )
  }

  func stop(_ error: SystemError) {
    // A change of the file itself can rarely be cancelled; the result is the kernel's.
    if let request = forbid(error) { core.engine.cancel(request) }
  }

  func cancel() {
    guard let request = forbid(.canceled) else { return answer(.canceled, isCancellation: true) }
    core.engine.cancel(request)
  }

  /// Prevents the start.
  ///
  /// - Returns: The request, if it is in flight.
  private func forbid(_ error: SystemError) -> Request? {
    state.withLock { state -> Request? in
      switch state {
      case .waiting, .stopped: state = .stopped(error)
      case .running(let request): return request
      case .answered: break
      }
      return nil
    }
  }

  func requestEnded(_ request: Request, with result: TransferResult) {
    if case .failure(let error) = result { answer(error) } else { answer(nil, request.status) }
    core.operationEnded(self)
  }

  /// Submits the handler, once; a cancellation does not once the call is being made.
  private func answer(
    _ error: SystemError?,
    _ status: FileStatus? = nil,
    isCancellation: Bool = false
  ) {
    let isFirst = state.withLock { state -> Bool in
      switch state {
      case .answered: return false
      case .running where isCancellation: return false
      // The request keeps its owner, so it is released here.
      case .waiting, .stopped, .running: state = .answered(status)
      }
      return true
    }
    guard isFirst else { return }
    queue.deliver { [self] in
      handler.run(error.number)
      core.handlersReturned(from: self, error)
    }
  }
}
