// Waits in tasks for groups, permits and results of queues, with a deadline and with cancellation.

import QueueRuntime

let answers = WorkQueue(label: "answers")
let group = WorkGroup()
group.enter()

// A deadline ends the wait with a result.
let result = try await group.completion(until: .now() + .milliseconds(5))
print(result == .timedOut ? "too early" : "finished")

// The cancellation of the task ends the wait with an error.
let waiting = Task { try await group.completion() }
waiting.cancel()
do {
  try await waiting.value
} catch is CancellationError {
  print("cancelled")
}

// The task awaits the result of a closure that runs on a queue.
let label = try await answers.run {
  group.leave()
  return WorkQueue.currentLabel
}
try await group.completion()
print("finished on", label)

// At most two of these functions run at the same time.
let permits = CountingSemaphore(value: 2)
let sum = try await withThrowingTaskGroup(of: Int.self) { tasks in
  for number in 1...10 {
    tasks.addTask { try await permits.withPermit { number } }
  }
  var sum = 0
  for try await number in tasks { sum += number }
  return sum
}
print("sum", sum)

// snippet.hide
// too early
// cancelled
// finished on answers
// sum 55
