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
  /// How long a copy may take to stop, in milliseconds, before the process ends all the same: it
  /// may wait for a FIFO that nobody writes to.
  private static let patience: Int64 = 900

  init(monitor: CopyMonitor, console: Console, display: ProgressDisplay) {
    self.monitor = monitor
    self.console = console
    self.display = display
  }

  /// The signal that the process is to end with.
  var ending: Int32? { state.withLock { $0.ending } }

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
        let left = limit - SignalWatch.now
        if left <= 0 { SignalWatch.end(with: ending ?? CSYS_SIGTERM) }
        pause = pause < 0 ? Int32(left) : min(pause, Int32(left))
      }
      if csys_wait_readable(descriptor, pause).value > 0 {
        let read = csys_signals_read(descriptor)
        if read.error == 0, take(Int32(read.value)), limit == nil {
          limit = SignalWatch.now + SignalWatch.patience
        }
      }
      display.update(monitor.progress)
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
      // Nothing is in flight while somebody is asked, and the answer may never come.
      if console.isAsking { SignalWatch.end(with: signal) }
      return true
    }
  }

  private static var now: Int64 { KernelClock.uptime.nanoseconds / 1_000_000 }

  /// Ends the process by a signal, as whoever started it expects.
  static func end(with signal: Int32) -> Never {
    _ = csys_signals_unblock()
    _ = csys_raise(signal)
    // A signal that is ignored does not end anything.
    exit(128 + signal)
  }
}
