/// The progress of one copy as a sequence; see ``CopyMonitor/updates(every:)``.
///
/// It ends after the copy has ended, if the task that reads it is cancelled, or if the monitor is
/// released before a copy has begun with it. A monitor that is kept for a later copy does not end
/// its sequences.
public struct CopyUpdates: AsyncSequence, Sendable {
  /// The progress at one moment.
  public typealias Element = CopyProgress
  /// The sequence never fails.
  public typealias Failure = Never

  let shared: MonitoredProgress
  let interval: Duration

  /// Creates an iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(shared: shared, interval: interval)
  }

  /// The iterator of the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    /// The progress at one moment.
    public typealias Element = CopyProgress
    /// The sequence never fails.
    public typealias Failure = Never

    fileprivate let shared: MonitoredProgress
    fileprivate let interval: Duration
    private var hasBegun = false
    private var hasEnded = false

    fileprivate init(shared: MonitoredProgress, interval: Duration) {
      self.shared = shared
      self.interval = interval
    }

    /// Waits for the interval and returns the progress; nil after the end.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> CopyProgress? {
      if hasEnded || Task.isCancelled { return nil }
      if hasBegun { await shared.wait(for: interval) }
      guard !Task.isCancelled, let progress = shared.current else {
        hasEnded = true
        return nil
      }
      hasBegun = true
      hasEnded = progress.isFinished
      return progress
    }
  }
}
