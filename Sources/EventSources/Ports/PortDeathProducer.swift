internal import IOChannelsLocks

/// A producer that reports once that a port no longer exists.
final class PortDeathProducer: EventProducer, ReadinessReceiver {
  private struct State: Sendable {
    var core: SourceCore?
    var token: ReadinessToken?
    /// Whether the event was delivered.
    var isOver = false
    /// Nil once the source has ended.
    var sender: EventPort.Sender?
  }

  private let state: BargingLock<State>

  init(_ sender: EventPort.Sender) { state = BargingLock(State(sender: sender)) }

  func start(for core: SourceCore) {
    let sender = state.withLock { state in
      state.core = core
      return state.sender
    }
    guard let sender else { return core.registered(nil) }
    do throws(SystemError) {
      // A hang-up is always reported, and nothing else is waited for.
      let token = try SharedReadinessList.get().register(sender.borrowed.rawValue, for: [], self)
      state.withLock { $0.token = token }
      core.registered(nil)
    } catch {
      core.registered(error)
    }
  }

  func ready(_ states: ReadinessEvents) {
    state.withLock { $0.core }?.noted(EventSource.PortSendEvent.dead.rawValue)
  }

  // The only event is the last one.
  func latch(_ noted: UInt) -> UInt? {
    state.withLock { $0.isOver = true }
    return noted
  }

  var isOver: Bool { state.withLock { $0.isOver } }

  func stop(for core: SourceCore) {
    release()
    core.released()
  }

  /// Ends the registration and releases the sender.
  private func release() {
    let former = state.withLock { state in
      defer { state = State() }
      return state
    }
    if let token = former.token { try? SharedReadinessList.get().remove(token) }
  }
}
