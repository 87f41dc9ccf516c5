import QueueRuntime
import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// A request about a channel's file that moves no bytes; it runs like a barrier.
final class FileOperation: ChannelOperation {
  private struct State {
    var request: Request?
    var stopError: SystemError?
    var isAnswered = false
  }

  let number: Int
  var channel: Int { core.number }
  var ordering: OrderingConstraint { .alone }
  private let operation: Request.Operation
  private let offset: Int64?
  private let queue: WorkQueue
  /// The queue that says how urgent the request is.
  private let classQueue: WorkQueue
  private let core: ChannelCore
  private let handler: OnceHandler<SystemError?>
  private let state = BargingLock(State())

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

  var isOver: Bool { state.withLock(\.isAnswered) }

  func start(on file: Result<OpenFile?, SystemError>, mayWriteAtOnce: Bool) -> Bool {
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
    let stopError = state.withLock { state in
      if state.stopError == nil { state.request = request }
      return state.stopError
    }
    if let stopError {
      answer(stopError)
      return true
    }
    core.engine.submit(request)
    return false
  }

  func stop(_ error: SystemError) {
    // What changes the file itself can rarely be ended; the answer is the kernel's.
    if let request = forbid(error) { core.engine.cancel(request) }
  }

  func cancel() {
    guard let request = forbid(.canceled) else { return answer(.canceled) }
    core.engine.cancel(request)
  }

  /// Lets it not begin any more.
  ///
  /// - Returns: The request, if it has begun.
  private func forbid(_ error: SystemError) -> Request? {
    state.withLock { state in
      state.stopError = error
      return state.request
    }
  }

  func requestEnded(_ request: Request, with result: TransferResult) {
    if case .failure(let error) = result { answer(error) } else { answer(nil) }
    // The request keeps its owner.
    state.withLock { $0.request = nil }
    core.operationEnded(self)
  }

  /// Calls the handler, once.
  private func answer(_ error: SystemError?) {
    let isFirst = state.withLock { state in
      defer { state.isAnswered = true }
      return !state.isAnswered
    }
    guard isFirst else { return }
    queue.deliver { [self] in
      handler.run(error)
      core.handlersReturned(from: self)
    }
  }
}
