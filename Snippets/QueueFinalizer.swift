// Gives a queue a value of its own, and cleans it up after the last use of the queue.

import QueueRuntime

/// A sum that only the work of one queue touches.
final class Account {
  var sum = 0
  let isClosed: CountingSemaphore

  init(isClosed: CountingSemaphore) {
    self.isClosed = isClosed
  }
}

let isClosed = CountingSemaphore(value: 0)

func makeQueue() -> WorkQueue {
  let queue = WorkQueue(label: "account")
  queue.context = Unmanaged.passRetained(Account(isClosed: isClosed)).toOpaque()
  queue.setFinalizer { context in
    guard let context else { return }
    let account = Unmanaged<Account>.fromOpaque(context).takeRetainedValue()
    print("closed with", account.sum)
    account.isClosed.signal()
  }
  return queue
}

func addThrice() {
  let queue = makeQueue()
  for _ in 0..<3 {
    queue.async(context: queue.context) { context in
      guard let context else { return }
      Unmanaged<Account>.fromOpaque(context).takeUnretainedValue().sum += 5
    }
  }
  // Submitted work keeps the queue: the finalizer runs after the last item.
}

addThrice()
isClosed.wait()

// snippet.hide
// closed with 15
