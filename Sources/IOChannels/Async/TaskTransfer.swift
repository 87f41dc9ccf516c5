import DataRegions
import QueueRuntime
import RequestEngine
import SystemCalls

/// One operation whose end a task waits for.
///
/// It is over when the kernel has nothing of it any more, cancelled or not.
final class TaskTransfer: Sendable {
  /// How the operation ended: bytes that were read, or that were not written, and an error.
  struct Outcome: Sendable {
    let data: DataBuffer
    let error: Errno?
  }

  private struct State {
    var data = DataBuffer.empty
    var isOver = false
    var operation: (any ChannelOperation)?
  }

  private let state = BargingLock(State())
  private let end = OneTimeValue<Outcome>()
  private let direction: Direction

  /// Begins an operation that calls the given handler on the given queue.
  ///
  /// Deliveries of a read are put together; of a write the last one counts.
  init(
    _ direction: Direction,
    _ begin: (WorkQueue, @escaping IOChannel.Handler) -> (any ChannelOperation)?
  ) {
    self.direction = direction
    let priority = WorkQueue.QoS.QoSClass(taskPriority: Task.currentPriority.rawValue)
    let operation = begin(.completions(qos: priority)) { [self] isDone, data, error in
      take(data, error, isDone: isDone)
    }
    state.withLock { state in
      if !state.isOver { state.operation = operation }
    }
  }

  /// Asks for an early end.
  func cancel() {
    state.withLock { $0.operation }?.cancel()
  }

  /// Waits for the end; when the waiting task is cancelled it asks for an early one.
  ///
  /// Only one task may wait, once: the operation may be kept until its turn comes, so the bytes are
  /// handed out of it.
  func outcome() async -> Outcome {
    await withTaskCancellationHandler {
      await end.take()
    } onCancel: {
      cancel()
    }
  }

  private func take(_ data: DataBuffer?, _ error: Errno?, isDone: Bool) {
    let data = state.withLock { state in
      switch direction {
      case .read: state.data.append(data ?? .empty)
      case .write: state.data = data ?? .empty
      }
      guard isDone else { return nil as DataBuffer? }
      state.isOver = true
      state.operation = nil
      defer { state.data = .empty }
      return state.data
    }
    if let data { end.set(Outcome(data: data, error: error)) }
  }
}
