import QueueRuntime

/// Submits items that end only if all of them run at once.
func itemsThatMeet(_ count: Int, on queue: WorkQueue) -> WorkGroup {
  let arrived = WorkGroup()
  let done = WorkGroup()
  for _ in 0..<count { arrived.enter() }
  for _ in 0..<count {
    queue.async(group: done) {
      arrived.leave()
      arrived.wait()
    }
  }
  return done
}
