extension WorkQueue {
  /// What a queue has to do and has done, at one moment.
  ///
  /// The numbers are read one after the other, while other threads go on: work that a thread takes
  /// over just then may be missing for a moment.
  public struct Statistics: Sendable, Hashable {
    /// The pieces of work that were ever submitted: closures, items, and queues to be drained.
    public var submitted: Int
    /// Those of them that were begun.
    public var begun: Int
    /// The suspensions that were not resumed.
    public var suspensions: Int
    /// Whether the queue waits for its activation.
    public var isInactive: Bool
    /// Whether something runs in the queue or is about to.
    public var isBusy: Bool

    /// The pieces of work that wait for their turn.
    public var pending: Int { submitted - begun }
  }

  /// What the queue has to do and has done; a queue that nobody asks counts nothing for it.
  public var statistics: Statistics {
    let counts = lane.counts
    let word = suspension.now
    return Statistics(
      submitted: counts.added,
      begun: counts.taken,
      suspensions: Int(word.suspensions),
      isInactive: word.isInactive,
      isBusy: lane.isHeld && !word.isParked
    )
  }

  /// Writes a line about the queue, and one about each queue that it targets.
  ///
  /// It is meant for people: its form may change at any time. Targets that change meanwhile are
  /// shown as they were or as they become.
  public func dump(to stream: inout some TextOutputStream) {
    stream.write("\(debugDescription)\n")
    for (level, queue) in targets.enumerated() {
      stream.write("\(String(repeating: "  ", count: level + 1))on \(queue.debugDescription)\n")
    }
  }
}

extension WorkQueue: CustomDebugStringConvertible {
  /// The label, the kind and the state of the queue, and how much waits in it.
  public var debugDescription: String {
    let statistics = statistics
    var parts = [isSerial ? "serial" : "concurrent", "\(qos.qosClass)"]
    if statistics.isInactive { parts.append("inactive") }
    if statistics.suspensions > 0 { parts.append("suspended \(statistics.suspensions) times") }
    parts.append(statistics.isBusy ? "busy" : "at rest")
    parts.append("\(statistics.pending) of \(statistics.submitted) pending")
    parts.append("\(_getRetainCount(self)) references")
    return "WorkQueue(\(label): \(parts.joined(separator: ", ")))"
  }
}
