public import QueueRuntime

extension IOChannel {
  /// Sets the queue on which barriers of the channel run, nil for the default global queue.
  ///
  /// Requests of operations use its quality-of-service class; without a target they use that of
  /// their handler's queue. Handlers still run on their own queues. The target applies to later
  /// barriers and operations (<doc:Rules#S139>).
  public func setTarget(queue: WorkQueue?) {
    core.changeSettings { $0.target = queue }
  }

  /// Does nothing; kept for source compatibility with Dispatch (<doc:Rules#S140>).
  ///
  /// To delay a channel, use a barrier that does not return.
  public func suspend() {}

  /// Does nothing; kept for source compatibility with Dispatch.
  public func resume() {}

  /// Does nothing, as a channel is active from the start; kept for source compatibility with
  /// Dispatch.
  public func activate() {}
}

extension IOChannel: CustomDebugStringConvertible {
  /// The kind and descriptor of the channel, its water marks, and its running operations.
  ///
  /// The text is for debugging, and its format may change at any time.
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
