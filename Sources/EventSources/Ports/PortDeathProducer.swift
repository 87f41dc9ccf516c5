/// A producer that reports once that a port no longer exists.
final class PortDeathProducer: EventProducer, ReadinessReceiver {
  private struct State: Sendable {
    var core: SourceCore?
    var token: ReadinessToken?
  }

  private let sender: EventPort.Sender
  private let state = BargingLock(State())

  init(_ sender: EventPort.Sender) { self.sender = sender }

  func start(for core: SourceCore) {
    state.withLock { $0.core = core }
    do throws(Errno) {
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

  func stop(for core: SourceCore) {
    let former = state.withLock { state in
      defer { state = State() }
      return state
    }
    if let token = former.token { try? SharedReadinessList.get().remove(token) }
    withExtendedLifetime(former) { core.released() }
  }
}
