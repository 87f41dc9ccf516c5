import QueueRuntime

/// What a program can name that imports this product alone.
func useQueueRuntime() -> Bool {
  let queue = WorkQueue(label: "queue", attributes: .concurrent)
  let group = WorkGroup()
  queue.async(group: group, flags: .barrier) {}
  let result: WaitResult = group.wait(timeout: .now() + .seconds(10))
  let deadline: Deadline = .now() + .seconds(10)
  let wallDeadline: WallDeadline = .now() + 0.5
  return result == .success && deadline < .distantFuture && wallDeadline < .distantFuture
}
