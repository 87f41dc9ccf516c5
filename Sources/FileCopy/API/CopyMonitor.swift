import Synchronization

/// An object that observes and cancels a running copy.
///
/// Create one for each copy, pass it to ``FileCopier``, and use it from any thread.
public final class CopyMonitor: Sendable {
  private let stopping = Atomic<Bool>(false)
  /// The counts, which the copy changes.
  let shared = MonitoredProgress()

  /// Creates a monitor for a copy that has not begun.
  public init() {}

  deinit {
    shared.abandon()
  }

  /// Stops the copy: no further file is started, and incomplete files are removed.
  ///
  /// This function returns at once. The copy returns after all of its threads have finished. A file
  /// that is being overwritten in place is left incomplete. It may be called at any time and from
  /// any thread.
  public func stop() {
    stopping.store(true, ordering: .releasing)
  }

  /// Whether ``stop()`` was called.
  public var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// The current progress of the copy.
  public var progress: CopyProgress { shared.current ?? CopyProgress() }

  /// Returns the progress of the copy as a sequence.
  ///
  /// It yields one element at once, one after each interval, and a last one when the copy ends.
  /// Elements are not buffered. A slow reader skips some and receives the current progress. If the
  /// monitor is released before a copy has begun with it, the sequence ends.
  public func updates(every interval: Duration = .milliseconds(100)) -> CopyUpdates {
    CopyUpdates(shared: shared, interval: interval)
  }
}
