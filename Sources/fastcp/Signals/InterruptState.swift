/// The effect of signals on a running copy.
struct InterruptState {
  /// The action that a signal requests.
  enum Action: Equatable {
    /// Stop the copy and clean up.
    case stop
    /// End the process at once.
    case end
    /// Print the progress.
    case printProgress
  }

  /// The signal that ends the process after the copy has stopped.
  private(set) var ending: Int32?

  /// Records a signal; `isQuery` marks the one that only asks for the progress.
  mutating func note(_ signal: Int32, isQuery: Bool) -> Action {
    if isQuery { return .printProgress }
    if ending != nil { return .end }
    ending = signal
    return .stop
  }
}
