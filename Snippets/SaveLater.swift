// Delays work, cancels it, waits for it and continues after it, as with Dispatch.

import QueueRuntime

let queue = WorkQueue(label: "saving", qos: .utility)

/// What will be saved next; a later text takes the place of an earlier one.
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
  print("told")
  followed.leave()
}
if pending?.wait(timeout: .now() + .seconds(60)) == .timedOut { print("too late") }
followed.wait()

// What a queue keeps under a key is found by everything that it runs.
let owner = QueueKey<String>()
queue.setSpecific(key: owner, value: "editor")
let child = WorkQueue(label: "child", target: queue)
print(child.sync { WorkQueue.getSpecific(key: owner) } ?? "nobody")

// snippet.hide
// saved three
// told
// editor
