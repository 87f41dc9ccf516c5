internal import Synchronization

extension Crew {
  /// Decides on the next step after a call whose thread could not be started.
  ///
  /// - Returns: The call to follow instead, nil when other threads run the jobs.
  func replacement(for call: State.Call, attempt: Int) -> State.Call? {
    let next = update { $0.startFailed(call) }
    // While one thread is left the work continues, only slower.
    guard let next, next.startsThread else { return next }
    if let neighbour = neighbour() {
      let jobs = update { $0.surrender(next) }
      for job in jobs { neighbour.submit(job, band: neighbour.kind.bands - 1) }
      return nil
    }
    // After the pauses had no effect, no submitter waits again until a thread could be started.
    if attempt < means.pauses.count && !isWithoutThreads.load(ordering: .relaxed) {
      WorkerSeat().pause(milliseconds: means.pauses[attempt])
      return next
    }
    isWithoutThreads.store(true, ordering: .relaxed)
    // A job that never runs would be a silent hang.
    update { $0.takeOver(next) }
    _ = work(as: nil)
    return nil
  }
}
