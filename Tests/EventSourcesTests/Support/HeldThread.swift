import TestSupport

@testable import EventSources

/// Keeps the thread `sources` from taking events.
final class HeldThread {
  private final class Receiver: ReadinessReceiver {
    let arrival = CountingSemaphore(value: 0)
    let end = CountingSemaphore(value: 0)

    func ready(_ states: ReadinessEvents) {
      arrival.signal()
      end.wait()
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
    receiver.arrival.wait()
  }

  func release() {
    receiver.end.signal()
    list.remove(token)
  }
}
