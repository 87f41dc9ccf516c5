public import QueueRuntime

extension IOChannel {
  /// Sets the queue on which barriers of the channel run, nil for the default global queue.
  ///
  /// Requests of operations have its class; without one they have that of their handler's queue.
  /// Handlers run on their own queues all the same. It concerns barriers and operations that are
  /// asked for later (S139).
  public func setTarget(queue: WorkQueue?) {
    core.changeSettings { $0.target = queue }
  }

  /// Does nothing, as in Dispatch, where it is no error to suspend a channel (S140).
  ///
  /// A barrier that does not return holds a channel back.
  public func suspend() {}

  /// Does nothing, however often it is called (S140).
  public func resume() {}

  /// Does nothing: a channel is active from the start (S140).
  public func activate() {}
}

extension IOChannel: CustomDebugStringConvertible {
  /// The kind and the descriptor of the channel, its marks, and what is under way.
  ///
  /// It is meant for people: its form may change at any time.
  public var debugDescription: String {
    guard let state = core.state else { return "IOChannel" }
    var parts = ["\(state.kind)", core.entry.sourceDescription]
    switch state.creation {
    case .underWay: parts.append("being made")
    case .done(let base): if state.kind == .random { parts.append("offsets from \(base)") }
    case .failed(let error): parts.append("failed: \(error)")
    }
    if state.isStopped {
      parts.append("stopped")
    } else if state.isClosed {
      parts.append("closed")
    }
    if state.hasCleanedUp { parts.append("over") }
    let limits = state.settings.limits
    parts.append("low water \(limits.lowWater)")
    if limits.highWater < .max { parts.append("high water \(limits.highWater)") }
    if let interval = state.settings.interval { parts.append("every \(interval)") }
    if let target = state.settings.target { parts.append("on \(target.label)") }
    parts.append("\(state.open.count) of \(state.nextNumber) operations open")
    if state.barrierCount > 0 { parts.append("\(state.barrierCount) barriers") }
    return "IOChannel(\(parts.joined(separator: ", ")))"
  }
}
