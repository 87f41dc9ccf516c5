extension WorkQueue {
  /// Submits a closure and returns at once.
  ///
  /// A group is entered now and left when the closure has run and what it holds is released. A
  /// quality of service above the queue's raises the queue while the closure waits first in it,
  /// unless the flags say otherwise (S85).
  public func async(
    group: WorkGroup? = nil,
    qos: QoS = .unspecified,
    flags: WorkItem.Flags = [],
    execute body: consuming @escaping @Sendable () -> Void
  ) {
    group?.enter()
    // The closure is handed on, not copied: nobody keeps what it holds after its run (S82).
    let work: QueuedWork =
      if let group { .runInGroup(consume body, group) } else { .run(consume body) }
    let cause = DrainCause(qos: flags.effective(qos).qosClass)
    add(work, isBarrier: flags.contains(.barrier), for: cause)
  }

  /// Submits a handler that reports the end of an operation.
  ///
  /// Where every shared worker of its class is in use and the queue itself is idle, a spare thread
  /// runs it (S38).
  package func deliver(_ handler: consuming @escaping @Sendable () -> Void) {
    add(.run(consume handler), for: DrainCause(isDelivery: true))
  }

  /// Submits a handler that reports an event, with a quality of service as that of a work item.
  package func deliver(
    qos: QoS,
    flags: WorkItem.Flags,
    _ handler: consuming @escaping @Sendable () -> Void
  ) {
    let cause = DrainCause(qos: flags.effective(qos).qosClass, isDelivery: true)
    add(.run(consume handler), for: cause)
  }

  /// Runs a closure in its turn on the calling thread and returns what it returns.
  ///
  /// The thread has the queue and all that it targets meanwhile. A queue that leads to the main
  /// queue is the exception: there the main thread runs the closure. Nothing is copied or allocated
  /// when the queue is idle.
  ///
  /// - Precondition: The wait does not depend on the caller itself, which stands in the way when it
  ///   runs for this serial queue or one of its barriers, or, while a barrier is or goes into the
  ///   queue, for this concurrent queue.
  /// - Throws: What the closure throws.
  public func sync<Result: ~Copyable, Failure: Error>(
    flags: WorkItem.Flags = [],
    execute body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let isBarrier = flags.contains(.barrier)
    return try occupied(isBarrier: isBarrier) { () throws(Failure) in
      try QueueFrame.run(on: self, occupation(asBarrier: isBarrier), body)
    }
  }

  /// Runs a closure in its turn as work of the queue and returns what it returns.
  ///
  /// An idle queue has the calling thread run it, as `sync` does; another one has it run by the
  /// thread that drains the queue.
  ///
  /// - Precondition: As with `sync`.
  /// - Throws: What the closure throws.
  public func asyncAndWait<Result: ~Copyable, Failure: Error>(
    flags: WorkItem.Flags = [],
    execute body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The global queues treat a barrier like any item (S71).
    let isBarrier = flags.contains(.barrier) && kind != .global
    if kind != .main && lane.tryEnter(self, isBarrier: isBarrier) {
      defer { lane.exit(self, isBarrier: isBarrier) }
      return try occupiedTarget { () throws(Failure) in
        try QueueFrame.run(on: self, occupation(asBarrier: isBarrier), body)
      }
    }
    lane.checkThatCallerMayWait(for: self, isBarrier: isBarrier)
    return try runElsewhere(on: self, occupation(asBarrier: isBarrier), body) {
      add($0, isBarrier: isBarrier)
    }
  }

  private func occupation(asBarrier isBarrier: Bool) -> QueueFrame.Occupation {
    isSerial || isBarrier && kind != .global ? .exclusive : .shared
  }

  /// Runs a closure while the calling thread has this queue and all that it targets.
  private func occupied<Result: ~Copyable, Failure>(
    isBarrier: Bool = false,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch kind {
    case .own:
      lane.enter(self, isBarrier: isBarrier)
      defer { lane.exit(self, isBarrier: isBarrier) }
      return try occupiedTarget(body)
    case .global:
      return try body()
    case .main:
      checkThatWaitingEnds()
      return try runElsewhere(on: self, .exclusive, body) { add($0) }
    }
  }

  /// Runs a closure while the calling thread, which has this queue, has all that it targets.
  private func occupiedTarget<Result: ~Copyable, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let target else { return try body() }
    return try target.occupied(body)
  }
}
