internal import SystemCalls

extension Crew {
  /// Decides who follows a call whose thread could not be started.
  ///
  /// - Returns: The call to follow instead, nil when the jobs are in good hands.
  func replacement(for call: State.Call, after error: Errno, attempt: Int) -> State.Call? {
    let next = update { $0.startFailed(call) }
    // With a thread left the work goes on, only slower.
    guard let next, next.startsThread else { return next }
    switch means.lastResort {
    case .submitterWorks:
      update { $0.takeOver(next) }
      // Threads of the crew have no signals; a lost reader must not end the program here either.
      PlatformThread.withoutPipeSignal { _ = work(as: nil) }
      return nil
    case .submitterRetries(let pauses):
      if let neighbour = neighbour() {
        let jobs = update { $0.surrender(next) }
        for job in jobs { neighbour.submit(job, band: neighbour.kind.bands - 1) }
        return nil
      }
      // A job that never runs would be a silent hang.
      guard attempt < pauses.count else {
        stop(saying: "No thread could be started to run what was submitted: \(error).", "S103")
      }
      WorkerSeat().pause(milliseconds: pauses[attempt])
      return next
    }
  }
}
