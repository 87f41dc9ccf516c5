/// The progress of one copy as a sequence; see ``CopyMonitor/updates(every:)``.
///
/// It ends after the copy has ended, or if the task that reads it is cancelled. If the copy never
/// begins, the sequence does not end.
public struct CopyUpdates: AsyncSequence, Sendable {
  /// The progress at one moment.
  public typealias Element = CopyProgress
  /// The sequence never fails.
  public typealias Failure = Never

  let monitor: CopyMonitor
  let interval: Duration

  /// Creates an iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(monitor: monitor, interval: interval)
  }

  /// The iterator of the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    /// The progress at one moment.
    public typealias Element = CopyProgress
    /// The sequence never fails.
    public typealias Failure = Never

    fileprivate let monitor: CopyMonitor
    fileprivate let interval: Duration
    private var hasBegun = false
    private var hasEnded = false

    fileprivate init(monitor: CopyMonitor, interval: Duration) {
      self.monitor = monitor
      self.interval = interval
    }

    /// Waits for the interval and returns the progress; nil after the end of the copy.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> CopyProgress? {
      if hasEnded || Task.isCancelled { return nil }
      if hasBegun { await monitor.wait(for: interval) }
      if Task.isCancelled { return nil }
      hasBegun = true
      let progress = monitor.progress
      hasEnded = progress.isFinished
      return progress
    }
  }
}
