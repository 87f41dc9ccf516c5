// Gives a queue a value of its own, and cleans it up when nobody needs the queue any more.

import QueueRuntime

/// What the work of one queue counts; nobody else sees it.
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
  // What was submitted keeps the queue: the finalizer runs after the last of it.
}

addThrice()
isClosed.wait()

// snippet.hide
// closed with 15
