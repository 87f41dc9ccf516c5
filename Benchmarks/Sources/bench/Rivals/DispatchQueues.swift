import Dispatch
import Measure

/// Work for queues of Dispatch. `OurQueues` repeats it line by line.
enum DispatchQueues {
  static func async(_ count: Int) throws -> Timing {
    let queue = DispatchQueue(label: "bench")
    let counter = Counter()
    return try timed(expecting: count) {
      for _ in 0..<count { queue.async { counter.value += 1 } }
      return queue.sync { counter.value }
    }
  }

  static func sync(_ count: Int) throws -> Timing {
    let queue = DispatchQueue(label: "bench")
    let counter = Counter()
    return try timed(expecting: count) {
      for _ in 0..<count { queue.sync { counter.value += 1 } }
      return counter.value
    }
  }

  static func barrier(_ count: Int) throws -> Timing {
    let queue = DispatchQueue(label: "bench", attributes: .concurrent)
    let counter = Counter()
    return try timed(expecting: count) {
      for _ in 0..<count { queue.sync(flags: .barrier) { counter.value += 1 } }
      return counter.value
    }
  }

  static func barrierAmongReaders(_ count: Int) throws -> Timing {
    let queue = DispatchQueue(label: "bench", attributes: .concurrent)
    let counter = Counter()
    return try timed(expecting: count / 16) {
      onTwoThreads {
        var sum = 0
        for step in 0..<count / 2 {
          if step % 16 == 0 {
            queue.sync(flags: .barrier) { counter.value += 1 }
          } else {
            sum &+= queue.sync { counter.value }
          }
        }
        keep(sum)
      }
      return counter.value
    }
  }

  static func group(_ count: Int) throws -> Timing {
    let group = DispatchGroup()
    return try timed(expecting: count) {
      for _ in 0..<count {
        group.enter()
        group.leave()
      }
      return count
    }
  }

  static func asyncIntoGroup(_ count: Int) throws -> Timing {
    let queue = DispatchQueue(label: "bench")
    let group = DispatchGroup()
    let counter = Counter()
    return try timed(expecting: count) {
      for _ in 0..<count { queue.async(group: group) { counter.value += 1 } }
      group.wait()
      return counter.value
    }
  }

  static func semaphore(_ count: Int) throws -> Timing {
    let semaphore = DispatchSemaphore(value: 0)
    return try timed(expecting: count) {
      for _ in 0..<count {
        semaphore.signal()
        semaphore.wait()
      }
      return count
    }
  }

  static func perform(_ count: Int) throws -> Timing {
    try timed(expecting: count) {
      DispatchQueue.concurrentPerform(iterations: count) { keep($0) }
      return count
    }
  }

  static func performShort(_ count: Int) throws -> Timing {
    try timed(expecting: count) {
      for _ in 0..<count { DispatchQueue.concurrentPerform(iterations: 16) { keep($0) } }
      return count
    }
  }

  static func pingPong(_ count: Int) throws -> Timing {
    let sides = (DispatchQueue(label: "ping"), DispatchQueue(label: "pong"))
    let counter = Counter()
    let done = DispatchSemaphore(value: 0)
    @Sendable func hop(isPing: Bool) {
      counter.value += 1
      if counter.value == count {
        done.signal()
      } else {
        (isPing ? sides.1 : sides.0).async { hop(isPing: !isPing) }
      }
    }
    return try timed(expecting: count) {
      sides.0.async { hop(isPing: true) }
      done.wait()
      return counter.value
    }
  }

  static func manyQueues(_ count: Int) throws -> Timing {
    let queues = (0..<1000).map { _ in (DispatchQueue(label: "bench"), Counter()) }
    return try timed(expecting: count) {
      for _ in 0..<count / 1000 {
        for (queue, counter) in queues { queue.async { counter.value += 1 } }
      }
      return queues.reduce(0) { sum, side in sum + side.0.sync { side.1.value } }
    }
  }

  static func concurrent(_ count: Int) throws -> Timing {
    let queue = DispatchQueue(label: "bench", attributes: .concurrent)
    return try timed(expecting: count) {
      onTwoThreads {
        for step in 0..<count / 2 { queue.async { keep(step) } }
      }
      return queue.sync(flags: .barrier) { count }
    }
  }
}
