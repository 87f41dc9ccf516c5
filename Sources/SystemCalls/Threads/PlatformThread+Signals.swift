internal import CSystem

extension PlatformThread {
  /// Runs a function in which writing to a pipe or socket without a reader raises no `SIGPIPE`.
  package static func withoutPipeSignal(_ body: () -> Void) {
    let isHeld = csys_pipe_signal_hold() == 1
    body()
    if isHeld { csys_pipe_signal_drop() }
  }
}
