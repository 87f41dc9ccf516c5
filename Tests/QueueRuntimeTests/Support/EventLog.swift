import Synchronization
import IOChannelsLocks

@testable import QueueRuntime

/// A log of words of a test.
typealias EventLog = Log<String>

/// What happened, in order.
final class Log<Event: Sendable>: Sendable {
  /// Not a `Mutex`, whose slow path the thread sanitizer does not see.
  private let noted = BargingLock<[Event]>([])

  var events: [Event] { noted.withLock { $0 } }

  func note(_ event: Event) {
    noted.withLock { $0.append(event) }
  }
}

/// A variable without protection of its own, whose changes show when two make them at once.
final class UnguardedCounter: Sendable {
  private let value = Atomic<Int>(0)

  var count: Int { value.load(ordering: .relaxed) }

  /// Two steps, so that two at once lose one.
  func increase() {
    value.store(value.load(ordering: .relaxed) + 1, ordering: .relaxed)
  }
}
