import QueueRuntime
import IOChannelsEngine
import IOChannelsLocks
import Testing

/// Collects the answers of requests and lets a test wait for them.
final class Answers: RequestOwner {
  private struct State {
    var results: [Int: TransferResult] = [:]
    var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?
  }

  private let state = BargingLock(State())

  func requestEnded(_ request: Request, with result: TransferResult) {
    let ready = state.withLock { state -> CheckedContinuation<Void, Never>? in
      #expect(state.results[request.tag] == nil, "a request ends once")
      state.results[request.tag] = result
      guard let waiting = state.waiting, state.results.count >= waiting.count else { return nil }
      state.waiting = nil
      return waiting.continuation
    }
    ready?.resume()
  }

  func results(_ count: Int) async -> [Int: TransferResult] {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.results.count >= count { return true }
        state.waiting = (count, continuation)
        return false
      }
      if isReady { continuation.resume() }
    }
    return state.withLock { $0.results }
  }
}
