// Calls a handler at regular intervals.

import EventSources

let timer = EventSource.makeTimerSource(queue: WorkQueue(label: "timer"))
timer.schedule(deadline: .now(), repeating: .milliseconds(10), leeway: .milliseconds(1))
timer.setEventHandler {
  // More than 1 if the handler was late.
  print("fired:", timer.data >= 1)
  timer.cancel()
}
timer.activate()

// snippet.hide
import Glibc

while !timer.isCancelled { usleep(1_000) }
// fired: true
