internal import IOChannelsLocks

/// The events of a source that a task asks for one at a time.
///
/// It takes the place of the source's event handler. The source is suspended unless a task waits,
/// so that events are merged until they are requested.
final class EventDemand: Sendable {
  /// The result of one wait.
  enum Answer: Sendable {
    case data(UInt)
    case end(SystemError?)
  }

  private struct State: Sendable {
    var waiter: CheckedContinuation<Answer, Never>?
    /// Whether the source is suspended until the next wait.
    var isSuspended = true
    var end: Answer?
  }

  private let core: SourceCore
  private let state = BargingLock(State())

  /// Takes the events of a source, suspends it and activates it.
  init(_ core: SourceCore) {
    self.core = core
    core.checkProcess()
    core.suspend()
    // The core keeps this object until the source is cancelled.
    if !core.setDemand(self) { finish(core.registrationError) }
    core.activate()
  }

  /// Waits for the next event.
  ///
  /// A cancelled task cancels the source, and waits until the kernel has released the descriptor.
  func next() async -> Answer {
    await withTaskCancellationHandler {
      await withCheckedContinuation { wait($0) }
    } onCancel: {
      core.cancel()
    }
  }

  private func wait(_ waiter: CheckedContinuation<Answer, Never>) {
    let (end, resumes) = state.withLock { state in
      requireUse(state.waiter == nil, "One task at a time awaits the events of a source.", "S208")
      if let end = state.end { return (Answer?.some(end), false) }
      state.waiter = waiter
      defer { state.isSuspended = false }
      return (nil, state.isSuspended)
    }
    if let end { waiter.resume(returning: end) }
    if resumes { core.resume() }
  }

  /// Cancels the source once no task asks for its events any more.
  func abandon() {
    guard core.isOfThisProcess else { return }
    core.cancel()
    let resumes = state.withLock { state in
      defer { state.isSuspended = false }
      return state.isSuspended
    }
    if resumes { core.resume() }
  }

  private func finish(_ error: SystemError?) {
    let waiter = state.withLock { state in
      state.end = state.end ?? .end(error)
      return state.waiter.take()
    }
    waiter?.resume(returning: .end(error))
  }
}

// MARK: - Steps of the source

extension EventDemand {
  /// Ends the sequence of a source that the kernel refuses, or that has had its last event.
  func registered() {
    if let error = core.registrationError {
      finish(error)
    } else if core.producer.isOver {
      finish(nil)
    }
  }

  /// Hands an event to the task that waits.
  func received(_ data: UInt) {
    let isLast = core.producer.isOver
    let waiter = state.withLock { state in
      if isLast { state.end = .end(nil) }
      // The next event waits for the next task, and so does the cancellation.
      state.isSuspended = !isLast
      return state.waiter.take()
    }
    if !isLast { core.suspend() }
    waiter?.resume(returning: .data(data))
  }

  /// Ends the sequence of a source that has no further event.
  func ended() { finish(nil) }

  /// Ends the sequence after the source's cancel handler.
  func cancelled() { finish(nil) }
}
