/// What signals ask of a running copy.
struct InterruptState {
  /// What to do about a signal.
  enum Action: Equatable {
    /// Stop the copy in good order.
    case stop
    /// End the process at once.
    case end
    /// Tell how far the copy is.
    case tell
  }

  /// The signal that ends the process when the copy has stopped.
  private(set) var ending: Int32?

  /// Notes a signal; `asks` when it is the one that only asks.
  mutating func note(_ signal: Int32, asks: Bool) -> Action {
    if asks { return .tell }
    if ending != nil { return .end }
    ending = signal
    return .stop
  }
}
