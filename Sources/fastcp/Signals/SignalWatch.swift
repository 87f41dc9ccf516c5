import CSystem
import FileCopy
import Glibc
import Synchronization

/// Takes signals on a thread of its own while a copy runs, and has the progress drawn there.
///
/// The first signal that is to end the process stops the copy, the second one ends it at once.
final class SignalWatch: Sendable {
  private let state = Mutex(InterruptState())
  private let monitor: CopyMonitor
  private let console: Console
  private let display: ProgressDisplay
  private let summarized = Atomic<Bool>(false)
  /// Reports the end of a copy that has not returned.
  private let summarize: @Sendable () -> Void
  /// How long a copy may take to stop, in milliseconds, before the process ends all the same: it
  /// may wait for a FIFO that nobody writes to.
  private static let patience: Int64 = 850
  /// How long the summary may take then, in milliseconds: its reader may have stopped, too.
  private static let lastPatience: Int64 = 50

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

  /// The signal that the process is to end with.
  var ending: Int32? { state.withLock { $0.ending } }

  /// Claims the summary, which only one thread prints.
  ///
  /// - Returns: False when another thread prints it and ends the process.
  func claimSummary() -> Bool { !summarized.exchange(true, ordering: .acquiringAndReleasing) }

  /// Begins to watch. To be called before any other thread starts; where no thread can be had,
  /// signals do what they do without.
  func start() {
    guard csys_signals_block().error == 0 else { return }
    let opened = csys_signals_open()
    guard opened.error == 0 else {
      _ = csys_signals_unblock()
      return
    }
    let descriptor = Int32(opened.value)
    do throws(Errno) {
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
          left = SignalWatch.lastPatience
        }
        pause = pause < 0 ? Int32(left) : min(pause, Int32(left))
      }
      if csys_wait_readable(descriptor, pause).value > 0 {
        let read = csys_signals_read(descriptor)
        if read.error == 0, take(Int32(read.value)), limit == nil {
          // While a question is asked nothing is in flight, and the answer may never come.
          limit = SignalWatch.now + (console.isAsking ? 0 : SignalWatch.patience)
        }
      }
      display.update(monitor.progress)
    }
  }

  /// Starts to print the summary of a copy that does not return, and ends the process after it.
  ///
  /// - Returns: False when the summary is under way already, or no thread can be started.
  private func startSummary() -> Bool {
    guard claimSummary() else { return false }
    do throws(Errno) {
      try PlatformThread.start(name: "fastcp-summary") { [self] in
        summarize()
        SignalWatch.end(with: ending ?? CSYS_SIGTERM)
      }
      return true
    } catch {
      return false
    }
  }

  /// Acts on a signal.
  ///
  /// - Returns: Whether the copy is to end.
  private func take(_ signal: Int32) -> Bool {
    switch state.withLock({ $0.note(signal, asks: signal == CSYS_SIGUSR1) }) {
    case .tell:
      console.printError(display.line(monitor.progress) + "\n")
      return false
    case .end: SignalWatch.end(with: signal)
    case .stop:
      monitor.stop()
      return true
    }
  }

  private static var now: Int64 { KernelClock.uptime.nanoseconds / 1_000_000 }

  /// Waits until another thread ends the process.
  static func waitForEnd() -> Never {
    while true { _ = pause() }
  }

  /// Ends the process by a signal, as whoever started it expects.
  static func end(with signal: Int32) -> Never {
    _ = csys_signals_unblock()
    _ = csys_raise(signal)
    // A signal that is ignored does not end anything.
    exit(128 + signal)
  }
}
