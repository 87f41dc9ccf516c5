import CSystem
import FileCopy
import Glibc
import Synchronization

/// Draws the progress of a copy on standard error, where that was asked for or suits a terminal.
final class ProgressDisplay: Sendable {
  /// How progress is shown.
  enum Style: Hashable {
    case none
    /// One line that is drawn anew.
    case bar
    /// A line each time.
    case lines
    case json
  }

  private struct State {
    var rate = RateEstimate()
    /// When the last line was written, in seconds since the copy began.
    var last: Double?
  }

  private let style: Style
  private let console: Console
  private let columns: Int?
  /// Seconds until the first line.
  private let delay: Double
  private let state = Mutex(State())

  /// How often a bar is drawn, in milliseconds: at most 10 times a second.
  private static let barPause: Int32 = 100
  private static let linePause: Int32 = 1000
  /// How long a copy runs before a bar appears unasked.
  private static let patience = 0.5

  init(_ wish: OutputWish.Progress, console: Console, surroundings: ProcessSurroundings) {
    self.console = console
    columns = surroundings.columns
    let suitsBar = isatty(2) != 0 && surroundings.canDraw
    switch wish {
    case .auto: style = suitsBar ? .bar : .none
    case .always: style = suitsBar ? .bar : .lines
    case .never: style = .none
    case .json: style = .json
    }
    delay = wish == .auto ? ProgressDisplay.patience : 0
  }

  /// Whether anything is drawn.
  var isShown: Bool { style != .none }

  /// How long to wait for the next look, in milliseconds; -1 for ever.
  var pause: Int32 {
    switch style {
    case .none: -1
    case .bar: ProgressDisplay.barPause
    case .lines, .json: ProgressDisplay.linePause
    }
  }

  /// Draws what is true now, unless it is too early or too soon after the last time.
  func update(_ progress: CopyProgress) {
    if style == .none || progress.isFinished { return }
    let seconds = progress.elapsed.inSeconds
    let line = state.withLock { state -> ProgressLine? in
      state.rate.note(bytes: progress.bytes, at: seconds)
      guard seconds >= delay else { return nil }
      // Signals may wake the drawing thread at any time.
      if let last = state.last, seconds - last < Double(pause) / 1000 * 0.9 { return nil }
      state.last = seconds
      return ProgressLine(progress: progress, rate: state.rate)
    }
    if let line { draw(line) }
  }

  /// Ends the drawing: the bar goes, and programs get a last line.
  func finish(_ progress: CopyProgress) {
    switch style {
    case .none: break
    case .bar: console.clearBar()
    case .lines, .json: draw(ProgressLine(progress: progress, rate: state.withLock { $0.rate }))
    }
  }

  /// One line about the copy, for whoever asks.
  func line(_ progress: CopyProgress) -> String {
    let rate = state.withLock { state in
      if state.rate.rate == nil {
        state.rate.note(bytes: 0, at: 0)
        state.rate.note(bytes: progress.bytes, at: progress.elapsed.inSeconds)
      }
      return state.rate
    }
    return ProgressLine(progress: progress, rate: rate).text(columns: .max)
  }

  private func draw(_ line: ProgressLine) {
    switch style {
    case .none: break
    case .bar: console.drawBar(line.text(columns: width - 1))
    case .lines: console.printError(line.text(columns: .max) + "\n")
    case .json: console.printError(line.json.text + "\n")
    }
  }

  /// The width of the terminal now, which may change at any time.
  private var width: Int {
    if let columns { return columns }
    let asked = csys_terminal_columns(2)
    return asked.error == 0 && asked.value > 1 ? Int(asked.value) : 80
  }
}
