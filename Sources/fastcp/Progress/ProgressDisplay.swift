import CIOChannelsSystem
import FileCopy
import Glibc
import Synchronization

/// The progress output of a copy on standard error.
final class ProgressDisplay: Sendable {
  /// The form of the output.
  enum Style: Hashable {
    case none
    /// One line that is redrawn.
    case bar
    /// A new line for each update.
    case lines
    /// A JSON object for each update.
    case json
  }

  private struct State {
    var rate = RateEstimate()
    /// The time of the last line, in seconds since the copy began.
    var last: Double?
    /// Whether no further update is shown.
    var hasEnded = false
  }

  private let style: Style
  private let console: Console
  private let columns: Int?
  private let quoting: ShellQuoting
  /// The time until the first line, in seconds.
  private let delay: Double
  private let state = Mutex(State())

  /// The interval between two drawings of the bar, in milliseconds.
  private static let barPause: Int32 = 100
  /// The interval between two lines or JSON objects, in milliseconds.
  private static let linePause: Int32 = 1000
  /// The time, in seconds, after which the bar appears by default.
  private static let defaultDelay = 0.5

  init(_ mode: OutputOptions.Progress, console: Console, surroundings: ProcessSurroundings) {
    self.console = console
    columns = surroundings.columns
    quoting = surroundings.quoting
    let suitsBar = isatty(2) != 0 && surroundings.canDraw
    switch mode {
    case .auto: style = suitsBar ? .bar : .none
    case .always: style = suitsBar ? .bar : .lines
    case .never: style = .none
    case .json: style = .json
    }
    delay = mode == .auto ? ProgressDisplay.defaultDelay : 0
  }

  /// Whether there is any progress output.
  var isShown: Bool { style != .none }

  /// The time to wait until the next update, in milliseconds; -1 for no update.
  var pause: Int32 {
    switch style {
    case .none: -1
    case .bar: ProgressDisplay.barPause
    case .lines, .json: ProgressDisplay.linePause
    }
  }

  /// Draws the current progress, unless the delay or the interval has not passed yet.
  func update(_ progress: CopyProgress) {
    if style == .none || progress.isFinished { return }
    let seconds = progress.elapsed.inSeconds
    // The line is drawn under the lock, so that none is drawn after the end.
    state.withLock { state in
      if state.hasEnded { return }
      state.rate.note(bytes: progress.byteCount, at: seconds)
      guard seconds >= delay else { return }
      // A signal may wake the drawing thread before the interval has passed.
      if let last = state.last, seconds - last < Double(pause) / 1000 * 0.9 { return }
      state.last = seconds
      draw(ProgressLine(progress: progress, rate: state.rate, quoting: quoting))
    }
  }

  /// Clears the bar for good, because a signal has stopped the copy.
  ///
  /// The next output clears its line again, on which the terminal may have shown `^C` meanwhile.
  func stopDrawing() {
    if style != .bar { return }
    let wasDrawn = state.withLock { state in
      state.hasEnded = true
      return state.last != nil
    }
    if wasDrawn { console.drawBar("") }
  }

  /// Ends the output: clears the bar, or prints a last line.
  func finish(_ progress: CopyProgress, isComplete: Bool) {
    var line = state.withLock { state in
      state.hasEnded = true
      return ProgressLine(progress: progress, rate: state.rate, quoting: quoting)
    }
    line.isComplete = isComplete
    switch style {
    case .none: break
    case .bar: console.clearBar()
    case .lines, .json: draw(line)
    }
  }

  /// Returns one line about the copy, for SIGUSR1.
  func line(_ progress: CopyProgress) -> String {
    let rate = state.withLock { state in
      if state.rate.rate == nil {
        state.rate.note(bytes: 0, at: 0)
        state.rate.note(bytes: progress.byteCount, at: progress.elapsed.inSeconds)
      }
      return state.rate
    }
    return ProgressLine(progress: progress, rate: rate, quoting: quoting).text(columns: .max)
  }

  private func draw(_ line: ProgressLine) {
    switch style {
    case .none: break
    // After the line there is room for `^C`. If it wrapped, the line could not be cleared.
    case .bar: console.drawBar(line.text(columns: width - 2))
    case .lines: console.printError(line.text(columns: .max) + "\n")
    case .json: console.printError(line.json.text + "\n")
    }
  }

  /// The current width of the terminal, which may change at any time.
  private var width: Int {
    if let columns { return columns }
    let asked = csys_terminal_columns(2)
    return asked.error == 0 && asked.value > 1 ? Int(asked.value) : 80
  }
}
