internal import IOChannelsLocks

extension WorkQueue {
  /// The counts of a queue's work at one moment.
  ///
  /// The counts are read one after the other while other threads continue. Work that a thread takes
  /// from the queue at that moment may be missing.
  public struct Statistics: Sendable, Hashable {
    /// The number of closures, work items and queue drains ever submitted.
    public var submittedCount: Int
    /// The number of those that were started.
    public var begunCount: Int
    /// The number of suspensions without a matching `resume`.
    public var suspensionCount: Int
    /// Whether the queue waits for its activation.
    public var isInactive: Bool
    /// Whether the queue runs work or is about to.
    public var isBusy: Bool

    /// The number of submitted closures, work items and queue drains that have not started.
    public var pendingCount: Int { submittedCount - begunCount }
  }

  /// Returns the counts of the queue's submitted and started work.
  ///
  /// They cost a submission nothing. Instead, this function counts the work that was submitted most
  /// recently.
  ///
  /// - Complexity: O(pending work)
  public func statistics() -> Statistics {
    let counts = core.counts
    let word = suspension.now
    return Statistics(
      submittedCount: counts.added,
      begunCount: counts.taken,
      suspensionCount: Int(word.suspensions),
      isInactive: word.isInactive,
      isBusy: core.isHeld && !word.isParked
    )
  }

  /// Writes one line about the queue, and one about each queue that it targets.
  ///
  /// The output is for debugging, and its format may change at any time. Targets that change
  /// meanwhile appear with their old or their new state.
  public func dump(to stream: inout some TextOutputStream) {
    stream.write("\(debugDescription)\n")
    for (level, queue) in targets.enumerated() {
      stream.write("\(String(repeating: "  ", count: level + 1))on \(queue.debugDescription)\n")
    }
  }
}

extension WorkQueue: CustomDebugStringConvertible {
  /// The label, kind and state of the queue, and the amount of pending work.
  public var debugDescription: String {
    let statistics = self.statistics()
    var parts = [isSerial ? "serial" : "concurrent", "\(qos.qosClass)"]
    if statistics.isInactive { parts.append("inactive") }
    if statistics.suspensionCount > 0 {
      parts.append("suspended \(statistics.suspensionCount) times")
    }
    parts.append(statistics.isBusy ? "busy" : "at rest")
    parts.append("\(statistics.pendingCount) of \(statistics.submittedCount) pending")
    parts.append("\(_getRetainCount(self)) references")
    return "WorkQueue(\(label): \(parts.joined(separator: ", ")))"
  }
}
