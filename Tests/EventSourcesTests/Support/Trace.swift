import IOChannelsLocks
import IOChannelsTestSupport

@testable import EventSources

/// The handler calls of sources, in order.
final class Trace: Sendable {
  private struct Wait {
    let isOver: @Sendable ([TraceEntry]) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var entries: [TraceEntry] = []
    var waits: [Int: Wait] = [:]
    var nextWait = 0
  }

  private let state = BargingLock(State())
  /// A serial queue for the handlers.
  let queue = WorkQueue(label: "trace")

  var entries: [TraceEntry] { state.withLock { $0.entries } }

  func add(_ entry: TraceEntry) {
    let ready = state.withLock { state in
      state.entries.append(entry)
      let over = state.waits.filter { $0.value.isOver(state.entries) }
      for number in over.keys { state.waits[number] = nil }
      return over.values.map(\.continuation)
    }
    for continuation in ready { continuation.resume(returning: true) }
  }

  /// Waits until the entries meet a condition.
  ///
  /// - Throws: A failure with the entries if they do not within the time.
  func reach(
    within time: Duration = .seconds(20),
    _ isOver: @escaping @Sendable ([TraceEntry]) -> Bool
  ) async throws {
    let isReached = await withCheckedContinuation { continuation in
      let number: Int? = state.withLock { state in
        if isOver(state.entries) { return nil }
        state.waits[state.nextWait] = Wait(isOver: isOver, continuation: continuation)
        state.nextWait += 1
        return state.nextWait - 1
      }
      guard let number else { return continuation.resume(returning: true) }
      WorkQueue.global().asyncAfter(deadline: .now() + time) { [self] in
        let wait = state.withLock { $0.waits.removeValue(forKey: number) }
        wait?.continuation.resume(returning: false)
      }
    }
    if !isReached { throw TestFailure("the trace stays at \(entries)") }
  }

  /// Waits for a number of entries and returns all of them.
  func entries(_ count: Int) async throws -> [TraceEntry] {
    try await reach { $0.count >= count }
    return entries
  }

  /// Waits until the queue has run everything that was submitted before, and returns the entries.
  ///
  /// Deliveries go through a queue of the source's own, so the queue is passed a few times.
  func drained() async -> [TraceEntry] {
    for _ in 0..<4 {
      await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
    return entries
  }
}

extension EventSource {
  /// Records the registration and the cancellation in a trace.
  func record(in trace: Trace) {
    setRegistrationHandler { trace.add(.registration) }
    setCancelHandler { trace.add(.cancellation) }
  }
}
