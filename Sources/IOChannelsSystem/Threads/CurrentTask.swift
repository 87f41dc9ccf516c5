internal import CIOChannelsSystem

/// The task that the calling thread runs.
package enum CurrentTask {
  /// A Boolean value that indicates whether the task was cancelled; false without a task.
  ///
  /// `Task.isCancelled` retains and releases the task, which takes as long as a line of a loop.
  package static var isCancelled: Bool { csys_task_is_cancelled() }
}
