// Shares a long loop of short steps among threads, in strides.

import QueueRuntime
import Synchronization

let numbers = Array(1...1_000_000)
let stride = 4096
let total = Atomic<Int>(0)

// A call of the closure costs more than an addition, and so does a sum that threads share: both
// are paid once for a stride. The last stride is as long as what is left.
let strides = (numbers.count + stride - 1) / stride
WorkQueue.concurrentPerform(iterations: strides) { index in
  let part = numbers[(index * stride)..<min((index + 1) * stride, numbers.count)]
  total.add(part.reduce(0, +), ordering: .relaxed)
}
print(strides, "strides, sum", total.load(ordering: .relaxed))

// snippet.hide
// 245 strides, sum 500000500000
