internal import IOChannelsLocks

extension EventSource: CustomDebugStringConvertible {
  /// The kind, the state and the queue of the source, for debugging.
  ///
  /// The form may change at any time.
  public final var debugDescription: String { "\(type(of: self))(\(core.summary))" }
}

extension SourceCore {
  /// The state and the queue at this moment.
  var summary: String {
    let (life, label) = state.withLock { ($0.life, $0.target.label) }
    var words = [life.name]
    if life.isSuspended { words.append("suspended") }
    if let error = life.registrationError { words.append("\(error)") }
    return words.joined(separator: ", ") + " on \(label)"
  }
}
