/// The progress of one copy as a sequence; see ``CopyMonitor/updates(every:)``.
///
/// It ends with the copy, and where the task that reads it is cancelled. A copy that never begins
/// never ends.
public struct CopyUpdates: AsyncSequence, Sendable {
  /// How far the copy is.
  public typealias Element = CopyProgress
  /// Nothing fails.
  public typealias Failure = Never

  let monitor: CopyMonitor
  let interval: Duration

  /// Starts to read.
  public func makeAsyncIterator() -> Iterator {
    Iterator(monitor: monitor, interval: interval)
  }

  /// What one reader has had.
  public struct Iterator: AsyncIteratorProtocol {
    /// How far the copy is.
    public typealias Element = CopyProgress
    /// Nothing fails.
    public typealias Failure = Never

    fileprivate let monitor: CopyMonitor
    fileprivate let interval: Duration
    private var hasBegun = false
    private var hasEnded = false

    fileprivate init(monitor: CopyMonitor, interval: Duration) {
      self.monitor = monitor
      self.interval = interval
    }

    /// Waits for the next moment and tells how far the copy is then, nil after its end.
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
