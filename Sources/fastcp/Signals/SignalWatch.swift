import CIOChannelsSystem
import FileCopy
import Glibc
import Synchronization

/// A thread that receives signals while a copy runs, and draws the progress.
///
/// The first terminating signal stops the copy. The second one ends the process at once.
final class SignalWatch: Sendable {
  private let state = Mutex(InterruptState())
  private let monitor: CopyMonitor
  private let console: Console
  private let display: ProgressDisplay
  private let summarized = Atomic<Bool>(false)
  /// A closure that prints the summary of a copy that has not returned.
  private let summarize: @Sendable () -> Void
  /// The time, in milliseconds, after which the process ends if the copy has not stopped.
  ///
  /// The copy may be waiting for a FIFO that has no writer.
  private static let stopTimeout: Int64 = 850
  /// The time, in milliseconds, in which the summary must be printed.
  ///
  /// The reader of the output may have stopped.
  private static let summaryTimeout: Int64 = 50

  init(
    monitor: CopyMonitor,
    console: Console,
    display: ProgressDisplay,
    summarize: @escaping @Sendable () -> Void
  ) {
    self.summarize = summarize
    self.monitor = monitor
    self.console = console
    self.display = display
  }

  /// The signal that ends the process after the copy has stopped.
  var ending: Int32? { state.withLock { $0.ending } }

  /// Claims the printing of the summary for the calling thread.
  ///
  /// - Returns: False if another thread prints it and ends the process.
  func claimSummary() -> Bool { !summarized.exchange(true, ordering: .acquiringAndReleasing) }

  /// Starts the thread. It must be called before any other thread starts.
  ///
  /// If no thread can be started, signals keep their default actions.
  func start() {
    guard csys_signals_block().error == 0 else { return }
    let opened = csys_signals_open()
    guard opened.error == 0 else {
      _ = csys_signals_unblock()
      return
    }
    let descriptor = Int32(opened.value)
    do throws(SystemError) {
      try PlatformThread.start(name: "fastcp-watch") { [self] in watch(descriptor) }
    } catch {
      _ = csys_signals_unblock()
    }
  }

  private func watch(_ descriptor: Int32) {
    var limit: Int64?
    while true {
      var pause = display.pause
      if let limit {
        var left = limit - SignalWatch.now
        if left <= 0 {
          if !startSummary() { SignalWatch.end(with: ending ?? CSYS_SIGTERM) }
          left = SignalWatch.summaryTimeout
        }
        pause = pause < 0 ? Int32(left) : min(pause, Int32(left))
      }
      if csys_wait_readable(descriptor, pause).value > 0 {
        let read = csys_signals_read(descriptor)
        if read.error == 0, take(Int32(read.value)), limit == nil {
          // During a question no transfer is in flight, and the answer may never come.
          limit = SignalWatch.now + (console.isAsking ? 0 : SignalWatch.stopTimeout)
        }
      }
      display.update(monitor.progress)
      if console.hasLostReader { monitor.stop() }
    }
  }

  /// Starts a thread that prints the summary of a copy that has not returned, and ends the process.
  ///
  /// - Returns: False if another thread prints the summary, or no thread can be started.
  private func startSummary() -> Bool {
    guard claimSummary() else { return false }
    do throws(SystemError) {
      try PlatformThread.start(name: "fastcp-summary") { [self] in
        display.finish(monitor.progress, isComplete: false)
        summarize()
        SignalWatch.end(with: ending ?? CSYS_SIGTERM)
      }
      return true
    } catch {
      return false
    }
  }

  /// Performs the action of a signal.
  ///
  /// - Returns: Whether the copy must stop.
  private func take(_ signal: Int32) -> Bool {
    switch state.withLock({ $0.note(signal, isQuery: signal == CSYS_SIGUSR1) }) {
    case .printProgress:
      console.printError(display.line(monitor.progress) + "\n")
      return false
    case .end: SignalWatch.end(with: signal)
    case .stop:
      monitor.stop()
      display.stopDrawing()
      return true
    }
  }

  private static var now: Int64 { KernelClock.uptime.nanoseconds / 1_000_000 }

  /// Waits until another thread ends the process.
  static func waitForEnd() -> Never {
    while true { _ = pause() }
  }

  /// Ends the process with a signal, so that the parent process receives the cause.
  static func end(with signal: Int32) -> Never {
    _ = csys_signals_unblock()
    _ = csys_raise(signal)
    // An ignored signal does not end the process.
    exit(128 + signal)
  }

  /// Ends the process as a write to a pipe without a reader does by default.
  static func endAtBrokenPipe() -> Never {
    _ = csys_raise_by_default(CSYS_SIGPIPE)
    exit(128 + CSYS_SIGPIPE)
  }
}
