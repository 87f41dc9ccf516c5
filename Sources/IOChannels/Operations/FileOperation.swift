import QueueRuntime
import RequestEngine
import SystemCalls

/// A request about a channel's file that moves no bytes; it runs like a barrier.
final class FileOperation: ChannelOperation {
  private struct State {
    var request: Request?
    var stopError: Errno?
    var isAnswered = false
  }

  let number: Int
  var line: OperationLine { .alone }
  private let operation: Request.Operation
  private let offset: Int64?
  private let engine: Engine
  private let descriptor: BorrowedDescriptor
  private let queue: WorkQueue
  private let observer: any OperationObserver
  private let handler: IOChannel.Handler
  private let state = BargingLock(State())

  init(
    number: Int,
    _ operation: Request.Operation,
    at offset: Int64?,
    target: (engine: Engine, descriptor: BorrowedDescriptor),
    queue: WorkQueue,
    observer: any OperationObserver,
    handler: @escaping IOChannel.Handler
  ) {
    self.number = number
    self.operation = operation
    self.offset = offset
    engine = target.engine
    descriptor = target.descriptor
    self.queue = queue
    self.observer = observer
    self.handler = handler
  }

  func start() -> Bool {
    let request = Request(
      operation,
      descriptor: descriptor,
      offset: offset,
      priority: queue.effectiveClass,
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
    engine.submit(request)
    return false
  }

  func forbidStart(_ error: Errno) {
    state.withLock { $0.stopError = error }
  }

  func stop(_ error: Errno) {
    // What changes the file itself can rarely be ended; the answer is the kernel's.
    guard let request = state.withLock({ $0.request }) else { return }
    engine.cancel(request)
  }

  func cancel() {
    forbidStart(.canceled)
    guard let request = state.withLock({ $0.request }) else { return answer(.canceled) }
    engine.cancel(request)
  }

  func requestEnded(_ request: Request, with result: TransferResult) {
    if case .failure(let error) = result { answer(error) } else { answer(nil) }
    // The request keeps its owner.
    state.withLock { $0.request = nil }
    observer.operationEnded(self)
  }

  /// Calls the handler, once.
  private func answer(_ error: Errno?) {
    let isFirst = state.withLock { state in
      defer { state.isAnswered = true }
      return !state.isAnswered
    }
    guard isFirst else { return }
    queue.async { [self] in
      handler(true, nil, error)
      observer.handlersReturned(from: self)
    }
  }
}
