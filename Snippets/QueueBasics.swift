// Runs work on a serial queue and waits for it.

import QueueRuntime

let pages = WorkQueue(label: "pages", qos: .utility)
let group = WorkGroup()
for number in 1...3 {
  pages.async(group: group) { print("page", number) }
}

// A task waits without blocking a thread. Code outside of tasks calls `group.wait()`.
try await group.completion()

// `sync` waits until the queue reaches the closure, runs it on this thread and returns its result.
let label = pages.sync { WorkQueue.currentLabel }
print("done on", label)

// snippet.hide
// page 1
// page 2
// page 3
// done on pages
