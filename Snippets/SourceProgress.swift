// Shows the progress of many threads with as few calls as the display can take.

import EventSources

let display = WorkQueue(label: "display")
let progress = EventSource.makeUserDataAddSource(queue: display)
progress.setEventHandler {
  // The sum of all steps since the last call.
  show(progress.data)
}
progress.activate()

WorkQueue.concurrentPerform(iterations: 1_000) { _ in
  progress.add(data: 1)
}

// snippet.hide
import Synchronization

enum Display {
  static let total = Atomic<UInt>(0)
  static let isComplete = CountingSemaphore(value: 0)
}

func show(_ steps: UInt) {
  let (_, total) = Display.total.add(steps, ordering: .relaxed)
  if total == 1_000 { Display.isComplete.signal() }
}

Display.isComplete.wait()
progress.cancel()
print("steps:", Display.total.load(ordering: .relaxed))
// steps: 1000
