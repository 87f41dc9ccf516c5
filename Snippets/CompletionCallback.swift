// Works in the background and delivers the result on a queue that the caller chooses.

import QueueRuntime

/// Computes the average of numbers and passes it to `completion` on `queue`, or nil if none.
func average(
  of numbers: [Double],
  queue: WorkQueue,
  completion: @escaping @Sendable (Double?) -> Void
) {
  WorkQueue.global(qos: .utility).async {
    let sum = numbers.reduce(0, +)
    let average = numbers.isEmpty ? nil : sum / Double(numbers.count)
    // The closure keeps the queue until the completion handler has run.
    queue.async { completion(average) }
  }
}

let answers = WorkQueue(label: "answers")
let delivered = WorkGroup()
delivered.enter()
average(of: [1, 2, 3, 4], queue: answers) { average in
  print(average ?? 0, "on", WorkQueue.currentLabel)
  delivered.leave()
}
delivered.wait()

// snippet.hide
// 2.5 on answers
