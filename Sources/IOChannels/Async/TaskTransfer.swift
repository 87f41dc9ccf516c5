import DataRegions
import QueueRuntime
import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// One operation whose end a task waits for.
///
/// It ends when the kernel has released all its memory, cancelled or not.
final class TaskTransfer: Sendable {
  /// The result of an operation: bytes that were read, or that were not written, and an error.
  struct Outcome: Sendable {
    let data: DataBuffer
    let error: SystemError?
  }

  private struct State {
    var data = DataBuffer.empty
    var isOver = false
    var operation: (any ChannelOperation)?
  }

  private let state = BargingLock(State())
  private let end = Promise<Outcome>()
  private let direction: Direction

  /// Starts an operation that calls the given handler on the given queue.
  ///
  /// The deliveries of a read are concatenated; of those of a write the last one counts.
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

  /// Requests an early end.
  func cancel() {
    state.withLock { $0.operation }?.cancel()
  }

  /// Waits for the end; when the waiting task is cancelled it requests an early one.
  ///
  /// Only one task may wait, once: the operation may be kept for some time, so its bytes are moved
  /// out of it.
  func outcome() async -> Outcome {
    await withTaskCancellationHandler {
      await end.take()
    } onCancel: {
      cancel()
    }
  }

  private func take(_ data: DataBuffer?, _ error: Int32, isDone: Bool) {
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
    if let data { end.set(Outcome(data: data, error: SystemError(errno: error))) }
  }
}
