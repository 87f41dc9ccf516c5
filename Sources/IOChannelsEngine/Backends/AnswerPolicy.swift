import IOChannelsSystem

/// What follows from an answer of the ring.
///
/// The kernel answers some requests with an error that means "not now" or "not this way". None of
/// these reaches the owner of a request, and `ECANCELED` does only after a real cancellation.
enum AnswerPolicy: Equatable {
  /// The owner is told.
  case end(Int32)
  /// The same request goes to the ring once more.
  case again
  /// The request goes to the ring once more when its descriptor is ready.
  case afterReadiness
  /// A plain call on a thread does it.
  case reroute

  /// How often a request is given to the ring before a thread does it.
  static let attemptLimit = 8

  init(
    answer: Int32,
    attempts: Int,
    isCancelled: Bool,
    kind: Request.Kind,
    waitsForPeer: Bool,
    waitsForRoom: Bool = false
  ) {
    let retry: Self = attempts < Self.attemptLimit ? .again : .reroute
    let error = SystemError(rawValue: -answer)
    if answer >= 0 {
      let states = ReadinessEvents(rawValue: UInt32(answer))
      if kind == .poll, waitsForRoom,
        states.isDisjoint(with: [.writable, .failed, .hangUp, .invalid])
      {
        // A ring also reports a peer that stops sending, which makes no room.
        self = .reroute
        return
      }
      // A poll answers with what it has found, which plain waiting does not tell.
      self = .end(kind == .poll ? 0 : answer)
      return
    }
    let isTransient =
      error == .interrupted || error == .canceled || error == .resourceTemporarilyUnavailable
    // These have happened, whatever they say, and do not happen twice; only `ECANCELED` says that
    // nothing was begun.
    let hasHappened = (kind == .close || kind == .synchronize) && error != .canceled
    if isCancelled, isTransient, !hasHappened {
      self = .end(-SystemError.canceled.rawValue)
      return
    }
    #if MUTANTS
      if Mutant.tryAgainShown.isActive, error == .resourceTemporarilyUnavailable {
        self = .end(answer)
        return
      }
    #endif
    switch error {
    case .canceled:
      // A worker thread of the kernel could not be made, and nothing was begun.
      self = retry
    case _ where hasHappened:
      self = .end(answer)
    case .interrupted:
      self = retry
    case .resourceTemporarilyUnavailable:
      // The user made the descriptor non-blocking; then the ring does not wait by itself. One that
      // is ready every time and still refuses is the threads' to find out about.
      self = waitsForPeer && attempts < Self.attemptLimit ? .afterReadiness : retry
    case .notSupported:
      self = .reroute
    case .invalidArgument where kind == .truncate:
      // Linux before 6.9 does not know the request.
      self = .reroute
    case .timerExpired where kind == .timeout:
      self = .end(0)
    default:
      self = .end(answer)
    }
  }
}
