// Saves a document once it has not been changed for a while.

import EventSources
import Synchronization

/// A filter that calls a closure with the number of events when none has come for some time.
final class Debounce: Sendable {
  private let events: DataSource
  private let timer: TimerSource

  init(after pause: Duration, queue: WorkQueue, action: @escaping @Sendable (UInt) -> Void) {
    let events = EventSource.makeUserDataAddSource(queue: queue)
    let timer = EventSource.makeTimerSource(queue: queue)
    let count = Mutex<UInt>(0)
    events.setEventHandler {
      count.withLock { $0 += events.data }
      // The new schedule replaces the former one.
      timer.schedule(deadline: .now() + pause, leeway: pause / 10)
    }
    timer.setEventHandler {
      action(
        count.withLock { count in
          defer { count = 0 }
          return count
        }
      )
    }
    timer.activate()
    events.activate()
    self.events = events
    self.timer = timer
  }

  // The handlers keep both sources until they are cancelled.
  deinit {
    events.cancel()
    timer.cancel()
  }

  /// Reports an event, on any thread.
  func note() { events.add(data: 1) }
}

let queue = WorkQueue(label: "document")
let saved = CountingSemaphore(value: 0)
let changes = Debounce(after: .milliseconds(100), queue: queue) { count in
  print("saved after", count, "changes")
  saved.signal()
}
queue.sync {
  for _ in 0..<5 { changes.note() }
}
saved.wait()
queue.sync {
  for _ in 0..<2 { changes.note() }
}
saved.wait()

// snippet.hide
// saved after 5 changes
// saved after 2 changes
