import IOChannelsSystem

/// The reaction to a completion of the ring.
///
/// The kernel completes some requests with an error that means "not now" or "not in this way". The
/// owner of a request never receives these errors. It receives `ECANCELED` only after a real
/// cancellation.
enum AnswerPolicy: Equatable {
  /// The request ends with this result.
  case end(Int32)
  /// The same request is submitted to the ring again.
  case again
  /// The request is submitted to the ring again when its descriptor is ready.
  case afterReadiness
  /// A plain call on a thread carries out the request.
  case reroute

  /// The number of submissions to the ring before a thread carries out the request.
  static let attemptLimit = 8

  /// Decides about the end of a wait for readiness, which reports the states of the descriptor.
  ///
  /// A ring also ends the wait when the peer has shut down its writing half. That makes no room for
  /// a write, so a thread continues the wait.
  init(states: ReadinessEvents, direction: Direction) {
    let isReady =
      direction == .read || !states.isDisjoint(with: [.writable, .failed, .hangUp, .invalid])
    self = isReady ? .again : .reroute
  }

  init(
    answer: Int32,
    attempts: Int,
    isCancelled: Bool,
    waitsForPeer: Bool
  ) {
    let retry: Self = attempts < Self.attemptLimit ? .again : .reroute
    let error = SystemError(rawValue: -answer)
    if answer >= 0 {
      self = .end(answer)
      return
    }
    let isTransient =
      error == .interrupted || error == .canceled || error == .resourceTemporarilyUnavailable
    if isCancelled, isTransient {
      self = .end(-SystemError.canceled.rawValue)
      return
    }
    switch error {
    case .canceled, .interrupted:
      // Without a cancellation, the kernel could not create a worker thread.
      self = retry
    case .resourceTemporarilyUnavailable:
      // The user made the descriptor non-blocking, so the ring does not wait by itself. A
      // descriptor that is ready each time and still refuses the call is left to the threads.
      self = waitsForPeer && attempts < Self.attemptLimit ? .afterReadiness : retry
    case .notSupported:
      self = .reroute
    default:
      self = .end(answer)
    }
  }
}
