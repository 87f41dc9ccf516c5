import Synchronization
import IOChannelsLocks
import IOChannelsTestSupport

@testable import EventSources

/// A call of a list of descriptors.
enum PollCall: Hashable, Sendable {
  case add(Int32)
  case rearm(Int32)
  case awaitChanges(Int32)
  case remove(Int32)
  case duplicate(Int32)
  case close(Int32)
  case scheduleIdleCheck
}

/// A list of descriptors whose answers and events the test chooses.
final class ManualPoll: ReadinessPoll {
  private struct State: Sendable {
    var calls: [PollCall] = []
    var tokens: [Int32: UInt64] = [:]
    var answers: [PollCall: SystemError] = [:]
    var events: [ReadinessPollEvent] = []
    var nextDuplicate: Int32 = 100
  }

  private let state = BargingLock(State())
  private let posted = Atomic<UInt32>(0)
  /// A closure that `remove` calls before it returns.
  private let removal: @Sendable () -> Void

  init(removal: @escaping @Sendable () -> Void = {}) { self.removal = removal }

  /// The calls in order.
  var calls: [PollCall] { state.withLock { $0.calls } }

  /// Lets each call that equals this one fail with an error.
  func refuse(_ call: PollCall, with error: SystemError?) {
    state.withLock { $0.answers[call] = error }
  }

  /// The token that a descriptor was added with last.
  func token(of descriptor: Int32) -> UInt64? { state.withLock { $0.tokens[descriptor] } }

  func post(_ event: ReadinessPollEvent) {
    state.withLock { $0.events.append(event) }
    posted.add(1, ordering: .releasing)
    posted.unpark()
  }

  private func note(_ call: PollCall) throws(SystemError) {
    let error = state.withLock { state in
      state.calls.append(call)
      return state.answers[call]
    }
    if let error { throw error }
  }

  func add(_ descriptor: Int32, for events: ReadinessEvents, token: UInt64) throws(SystemError) {
    try note(.add(descriptor))
    state.withLock { $0.tokens[descriptor] = token }
  }

  func rearm(_ descriptor: Int32, for events: ReadinessEvents, token: UInt64) throws(SystemError) {
    try note(.rearm(descriptor))
  }

  func awaitChanges(
    _ descriptor: Int32,
    for events: ReadinessEvents,
    token: UInt64
  ) throws(SystemError) {
    try note(.awaitChanges(descriptor))
  }

  func remove(_ descriptor: Int32) {
    try? note(.remove(descriptor))
    removal()
  }

  func duplicate(_ descriptor: Int32) throws(SystemError) -> Int32 {
    try note(.duplicate(descriptor))
    return state.withLock { state in
      defer { state.nextDuplicate += 1 }
      return state.nextDuplicate
    }
  }

  func close(_ descriptor: Int32) { try? note(.close(descriptor)) }

  func scheduleIdleCheck() { try? note(.scheduleIdleCheck) }

  /// Takes the next event.
  ///
  /// - Throws: `ETIMEDOUT` if none is posted within 20 seconds.
  func next() throws(SystemError) -> ReadinessPollEvent {
    let end = KernelClock.uptime.nanoseconds + 20_000_000_000
    while true {
      let seen = posted.load(ordering: .acquiring)
      let event = state.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() }
      if let event { return event }
      let left = end - KernelClock.uptime.nanoseconds
      if left <= 0 { throw .timedOut }
      posted.park(while: seen, nanoseconds: left)
    }
  }
}

/// Counts the events of a registration.
final class CountingReceiver: ReadinessReceiver {
  let count = Atomic<Int>(0)

  func ready(_ states: ReadinessEvents) { count.add(1, ordering: .relaxed) }
}
