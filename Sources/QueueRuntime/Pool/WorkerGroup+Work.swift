internal import Synchronization
internal import IOChannelsSystem

extension WorkerGroup {
  /// Runs jobs until none are left; nil stands for a submitter's thread.
  ///
  /// - Returns: Whether the worker's thread ends.
  func work(as worker: Int?) -> Bool {
    // A worker that is called counts as searching.
    var isSearching = worker != nil
    while true {
      switch update({ $0.step(for: worker, wasSearching: isSearching) }) {
      case .run(let job, let call):
        if let call { answer(call) }
        isSearching = false
        run(job, as: worker)
      case .search:
        spin { hasWaitingJobs }
        isSearching = true
      case .rest(let call, let ends):
        if let call { answer(call) }
        return ends
      }
    }
  }

  private func run(_ job: any PoolJob, as worker: Int?) {
    guard let worker else { return job.run() }
    let slot = slots[worker]
    slot.isWorking.store(true, ordering: .relaxed)
    job.run()
    slot.isWorking.store(false, ordering: .relaxed)
  }

  /// Checks repeatedly which active workers are blocked, until no job waits.
  ///
  /// - Returns: Whether the worker's thread ends.
  func watch(as worker: Int) -> Bool {
    var pause: Int64 = 1
    while true {
      slots[worker].pause(milliseconds: pause)
      let working = slots.filter { $0.isWorking.load(ordering: .relaxed) }
      let blocked = working.count { $0.isBlocked }
      switch update({ $0.observe(blocked: blocked, by: worker) }) {
      case .raised(let calls):
        calls.forEach(answer)
        pause = 1
      case .unchanged:
        // A check costs about 10 microseconds for each worker: at most a twelfth of a processor.
        pause = min(max(4, Int64(working.count) / 8), pause * 2)
      case .rest(let ends):
        return ends
      }
    }
  }
}
