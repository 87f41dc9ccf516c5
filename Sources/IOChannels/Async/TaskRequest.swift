import QueueRuntime
import IOChannelsEngine
import IOChannelsSystem

/// A request without a channel whose answer a task waits for.
final class TaskRequest: RequestOwner {
  private let result = Promise<TransferResult>()

  /// Submits a request to an engine and waits for its answer; a cancelled task requests an early
  /// one.
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
      await wait.result.take()
    } onCancel: {
      engine.cancel(request)
    }
  }

  func requestEnded(_ request: Request, with result: TransferResult) {
    self.result.set(result)
  }
}
