import QueueRuntime
import RequestEngine
import SystemCalls

/// A request without a channel whose answer a task waits for.
final class TaskRequest: RequestOwner {
  private struct State {
    var result: TransferResult?
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = BargingLock(State())

  /// Makes a request of an engine and waits for its answer; a cancelled task asks for an early one.
  static func answer(
    to operation: Request.Operation,
    descriptor: BorrowedDescriptor,
    engine: Engine
  ) async -> TransferResult {
    let wait = TaskRequest()
    let request = Request(
      operation,
      descriptor: descriptor,
      priority: WorkQueue.QoS.QoSClass(taskPriority: Task.currentPriority.rawValue),
      tag: 0,
      owner: wait
    )
    engine.submit(request)
    return await withTaskCancellationHandler {
      await wait.result()
    } onCancel: {
      engine.cancel(request)
    }
  }

  func requestEnded(_ request: Request, with result: TransferResult) {
    let waiter = state.withLock { state in
      state.result = result
      return state.waiter.take()
    }
    waiter?.resume()
  }

  private func result() async -> TransferResult {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.result == nil { state.waiter = continuation }
        return state.result != nil
      }
      if isOver { continuation.resume() }
    }
    // Only an answer resumes the continuation.
    return state.withLock { $0.result } ?? .failure(.canceled)
  }
}
