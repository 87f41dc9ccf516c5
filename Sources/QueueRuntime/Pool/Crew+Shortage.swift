internal import Synchronization

extension Crew {
  /// Decides who follows a call whose thread could not be started.
  ///
  /// - Returns: The call to follow instead, nil when the jobs are in good hands.
  func replacement(for call: State.Call, attempt: Int) -> State.Call? {
    let next = update { $0.startFailed(call) }
    // With a thread left the work goes on, only slower.
    guard let next, next.startsThread else { return next }
    if let neighbour = neighbour() {
      let jobs = update { $0.surrender(next) }
      for job in jobs { neighbour.submit(job, band: neighbour.kind.bands - 1) }
      return nil
    }
    // Once the pauses were in vain, no submitter waits again until a thread could be started.
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
