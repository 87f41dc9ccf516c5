import IOChannelsTestSupport

@testable import EventSources

/// Keeps the thread `sources` from taking events, for a minute at most.
///
/// The thread is released with this object: all sources of the process are silent until then.
final class HeldThread {
  private final class Receiver: ReadinessReceiver {
    let arrival = CountingSemaphore(value: 0)
    let end = CountingSemaphore(value: 0)

    func ready(_ states: ReadinessEvents) {
      arrival.signal()
      _ = end.wait(timeout: .now() + .seconds(60))
    }
  }

  private let receiver = Receiver()
  private let ends: PipeEnds
  private let list: ReadinessList
  private let token: ReadinessToken

  /// Holds the thread, whose next event is that a pipe can be written.
  init() throws {
    ends = try PipeEnds()
    list = try SharedReadinessList.get()
    token = try list.register(ends.writing.rawValue, for: .writable, receiver)
    if receiver.arrival.wait(timeout: .now() + .seconds(60)) == .timedOut {
      throw TestFailure("the thread of the sources does not come")
    }
  }

  deinit { release() }

  /// Releases the thread; does nothing more if it was called before.
  func release() {
    receiver.end.signal()
    list.remove(token)
  }
}
