// Runs closures side by side, one alone between them, and something after all of them.

import QueueRuntime
import Synchronization

let pages = WorkQueue(label: "pages", attributes: .concurrent)
let report = WorkQueue(label: "report")
let group = WorkGroup()
let count = Atomic<Int>(0)

// Readers run side by side, a barrier runs alone: after all before it, before all after it.
for _ in 0..<4 { pages.async(group: group) { count.add(1, ordering: .relaxed) } }
pages.async(group: group, flags: .barrier) {
  print("at the barrier:", count.load(ordering: .relaxed))
}
for _ in 0..<3 { pages.async(group: group) { count.add(1, ordering: .relaxed) } }

// Closures that follow a group are submitted when its count reaches 0.
group.notify(queue: report) {
  print("in the end:", count.load(ordering: .relaxed), "on", WorkQueue.currentLabel)
}
group.wait()
report.sync {}

// A loop is shared by the calling thread and free workers.
WorkQueue.concurrentPerform(iterations: 1000) { count.add($0, ordering: .relaxed) }
print("after the loop:", count.load(ordering: .relaxed))

// Queues with one serial target exclude each other.
let first = WorkQueue(label: "first", target: report)
let second = WorkQueue(label: "second", attributes: .concurrent, target: report)
first.sync { WorkQueue.precondition(.onQueueAsBarrier(report)) }
second.sync { WorkQueue.precondition(.onQueueAsBarrier(report)) }

// snippet.hide
// at the barrier: 4
// in the end: 7 on report
// after the loop: 499507
