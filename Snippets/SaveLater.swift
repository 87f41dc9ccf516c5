// Delays work, cancels it, waits for it and continues after it, as with Dispatch.

import QueueRuntime

let queue = WorkQueue(label: "saving", qos: .utility)

/// The text that is saved next. A later one replaces it.
var pending: WorkItem?

@MainActor func saveLater(_ text: String) {
  pending?.cancel()
  let item = WorkItem { print("saved", text) }
  queue.asyncAfter(deadline: .now() + .milliseconds(300), execute: item)
  pending = item
}

saveLater("one")
saveLater("two")
saveLater("three")

// An item may be followed by any number of closures and waited for once.
let followed = WorkGroup()
followed.enter()
pending?.notify(queue: .global()) {
  print("notified")
  followed.leave()
}
if pending?.wait(timeout: .now() + .seconds(60)) == .timedOut { print("too late") }
followed.wait()

// All work of a queue finds the value that the queue keeps under a key.
let owner = QueueKey<String>()
queue.setSpecific(key: owner, value: "editor")
let child = WorkQueue(label: "child", target: queue)
print(child.sync { WorkQueue.getSpecific(key: owner) } ?? "nobody")

// snippet.hide
// saved three
// notified
// editor
