// Lets an actor run on a queue, and tasks on a pool of threads of their own.

import QueueRuntime

actor Ledger {
  let queue: WorkQueue
  private(set) var sum = 0

  init(queue: WorkQueue) {
    self.queue = queue
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  func add(_ number: Int) {
    WorkQueue.precondition(.onQueue(queue))
    sum += number
  }

  /// Adds from code that is on the queue already.
  nonisolated func addOnQueue(_ number: Int) {
    assumeIsolated { $0.sum += number }
  }
}

let ledger = Ledger(queue: WorkQueue(label: "ledger"))

// The tasks run on the pool's threads, the actor's work on those of its queue.
let pool = WorkerPool(name: "tasks", width: 2, maximumThreadCount: 4)
await withTaskExecutorPreference(pool) {
  await withTaskGroup { tasks in
    for number in 1...10 { tasks.addTask { await ledger.add(number) } }
  }
}
print("from tasks:", await ledger.sum)

// Closures of the queue are inside of the actor too.
ledger.queue.sync { ledger.addOnQueue(100) }
print("and from the queue:", await ledger.sum)

// A task waits for a group, or for a permit, without blocking a thread.
let group = WorkGroup()
let permits = CountingSemaphore(value: 0)
WorkQueue.global(qos: .utility).async(group: group) { permits.signal() }
try await permits.acquire()
try await group.completion()
print("done")

// snippet.hide
// from tasks: 55
// and from the queue: 155
// done
