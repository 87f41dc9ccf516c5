internal import Synchronization

extension WorkerGroup {
  /// Decides on the next step after a call whose thread could not be started.
  ///
  /// - Returns: The call to follow instead, nil when other threads run the jobs.
  func replacement(for call: State.Call, attempt: Int) -> State.Call? {
    let next = update { $0.startFailed(call) }
    // While one thread is left the work continues, only slower.
    guard let next, next.startsThread else { return next }
    if let fallback = fallback() {
      let jobs = update { $0.removeAllJobs(cancelling: next) }
      for job in jobs { fallback.submit(job) }
      return nil
    }
    // After the pauses had no effect, no submitter waits again until a thread could be started.
    if attempt < configuration.pauses.count && !isWithoutThreads.load(ordering: .relaxed) {
      ParkingSlot().pause(milliseconds: configuration.pauses[attempt])
      return next
    }
    isWithoutThreads.store(true, ordering: .relaxed)
    // A job that never runs would be a silent hang.
    update { $0.replaceWithCaller(next) }
    _ = work(as: nil)
    return nil
  }
}
