// Works in the background and tells the result on the queue of the caller's choice.

import QueueRuntime

/// Takes the average of numbers; `completion` hears it on `queue`, `nil` when there are none.
func average(
  of numbers: [Double],
  queue: WorkQueue,
  completion: @escaping @Sendable (Double?) -> Void
) {
  WorkQueue.global(qos: .utility).async {
    let sum = numbers.reduce(0, +)
    let average = numbers.isEmpty ? nil : sum / Double(numbers.count)
    // The closure keeps the queue until the caller has heard.
    queue.async { completion(average) }
  }
}

let answers = WorkQueue(label: "answers")
let told = WorkGroup()
told.enter()
average(of: [1, 2, 3, 4], queue: answers) { average in
  print(average ?? 0, "on", WorkQueue.currentLabel)
  told.leave()
}
told.wait()

// snippet.hide
// 2.5 on answers
