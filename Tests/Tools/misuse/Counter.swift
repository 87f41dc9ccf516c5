import IOChannels

/// An actor that runs on a queue.
actor Counter {
  private let queue: WorkQueue
  private var count = 0

  init(_ queue: WorkQueue) {
    self.queue = queue
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe queue.asUnownedSerialExecutor()
  }

  func increase() { count += 1 }
}
