internal import CSystem

extension PlatformThread {
  /// Runs a function in which writing to a pipe or socket without a reader leaves no `SIGPIPE`.
  package static func withoutPipeSignal(_ body: () -> Void) {
    let held = csys_pipe_signal_hold()
    body()
    csys_pipe_signal_drop(held)
  }
}
