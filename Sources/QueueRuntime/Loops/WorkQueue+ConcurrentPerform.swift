extension WorkQueue {
  /// Calls a function for each number below `iterations`, concurrently, and returns after all
  /// calls.
  ///
  /// The calling thread takes part; free workers join it, in the class of the current queue. Calls
  /// are started in order, several at a time; no call may wait for another (<doc:Rules#S89>). As
  /// with Dispatch, the compiler does not see that the closure runs on several threads at once:
  /// shared state that it changes needs a lock.
  ///
  /// - Precondition: The number of iterations is not negative.
  public static func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {
    let qosClass = current.destination.value.qosClass
    global(qos: qosClass).concurrentPerform(iterations: iterations, execute: work)
  }

  /// Calls a function for each number below `iterations` as work of this queue, and returns after
  /// all calls.
  ///
  /// On a serial queue the calls run one after the other. If the caller already runs work of this
  /// queue, the loop does not wait for the queue, so it may be called there (<doc:Rules#S89>).
  ///
  /// - Precondition: The number of iterations is not negative. If the caller does not run work of
  ///   this queue, the queue must be able to run the loop without the caller, as with `sync`.
  ///   Otherwise the call never returns.
  public func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {
    requireUse(iterations >= 0, "A loop has no negative number of iterations.", "S89")
    if iterations == 0 { return }
    switch occupationByCaller {
    case .exclusive: for iteration in 0..<iterations { work(iteration) }
    case .shared: QueueFrame.run(on: self, .shared) { share(iterations, work) }
    // A global queue is never stopped and has no barriers, so no thread waits for it.
    case .none where kind == .global: QueueFrame.run(on: self, .shared) { share(iterations, work) }
    case .none: sync { share(iterations, work) }
    }
  }

  /// Calls a function for each number on the calling thread, which has the queue, and on helpers.
  private func share(_ iterations: Int, _ work: (Int) -> Void) {
    let participants = isSerial ? 1 : min(iterations, pool.loopWidth)
    if participants == 1 {
      for iteration in 0..<iterations { work(iteration) }
      return
    }
    withoutActuallyEscaping(work) { work in
      let loop = ParallelLoop(
        in: self,
        iterations: iterations,
        participants: participants,
        body: work
      )
      for _ in 1..<participants { submitHelper(of: loop) }
      loop.work()
      loop.closeAndWait()
      // As in RunElsewhere.swift, the program gets the length of this path.
      #sourceLocation(file:"ConcurrentPerform",line:56)
    }
    #sourceLocation()
  }

  private func submitHelper(of loop: ParallelLoop) {
    if kind == .global {
      pool.submit(loop, qos: destination.value.qosClass)
    } else {
      add(.run { loop.help() })
    }
  }
}
