extension WorkQueue {
  /// Submits a closure and returns at once.
  ///
  /// A group is entered now and left when the closure has run and its captures are released. A
  /// quality of service above the queue's raises the queue while the closure is the first one
  /// waiting in it, unless the flags prevent that (<doc:Rules#S85>).
  @preconcurrency
  public func async(
    group: WorkGroup? = nil,
    qos: QoS = .unspecified,
    flags: WorkItem.Flags = [],
    execute body: consuming @escaping @Sendable () -> Void
  ) {
    group?.enter()
    // The closure is moved, not copied, so no reference keeps its captures after its run (S82).
    let work: QueuedWork =
      if let group { .runInGroup(consume body, group) } else { .run(consume body) }
    let cause = DrainCause(qos: flags.effective(qos).qosClass)
    add(work, isBarrier: flags.contains(.barrier), for: cause)
  }

  /// Submits a handler that reports the end of an operation.
  ///
  /// When every shared worker of its class is busy and the queue itself is idle, a spare thread
  /// runs it (S38).
  ///
  /// If there is memory of the caller, the queue needs none for the handler. The memory must exist
  /// until the handler runs, and holds no other handler before.
  package func deliver(
    in memory: WorkMemory? = nil,
    _ handler: consuming @escaping @Sendable () -> Void
  ) {
    add(.run(consume handler), for: DrainCause(isDelivery: true), in: memory)
  }

  /// Submits a handler that reports an event, with a quality of service as for a work item.
  package func deliver(
    qos: QoS,
    flags: WorkItem.Flags,
    _ handler: consuming @escaping @Sendable () -> Void
  ) {
    let cause = DrainCause(qos: flags.effective(qos).qosClass, isDelivery: true)
    add(.run(consume handler), for: cause)
  }

  /// Runs a closure in submission order on the calling thread and returns its result.
  ///
  /// Meanwhile the thread occupies the queue and all its targets. A queue whose chain of targets
  /// ends at the main queue is the exception: the main thread runs the closure. Nothing is copied
  /// or allocated when the queue is idle.
  ///
  /// - Precondition: The wait does not depend on the caller itself. It does when the caller runs
  ///   work of this serial queue or one of its barriers. It also does when the caller runs work of
  ///   this concurrent queue while a barrier is in the queue or is being submitted.
  /// - Throws: The error of the closure.
  public func sync<Result: ~Copyable, Failure: Error>(
    flags: WorkItem.Flags = [],
    execute body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let isBarrier = flags.contains(.barrier) || runsOneByOne
    switch kind {
    case .own:
      let occupation = core.enter(self, isBarrier: isBarrier)
      defer { core.exit(self, from: occupation) }
      return try occupiedTarget { () throws(Failure) in
        try QueueFrame.run(on: self, occupation, body)
      }
    case .global:
      return try QueueFrame.run(on: self, .shared, body)
    case .main:
      return try runOnMainThread(body)
    }
  }

  /// Runs a closure as work of the queue and returns its result.
  ///
  /// On an idle queue the calling thread runs it, as with `sync`. Otherwise the thread that drains
  /// the queue runs it.
  ///
  /// - Precondition: The same as for `sync`.
  /// - Throws: The error of the closure.
  public func asyncAndWait<Result: ~Copyable, Failure: Error>(
    flags: WorkItem.Flags = [],
    execute body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The global queues treat a barrier like any item (S71).
    let isBarrier = (flags.contains(.barrier) || runsOneByOne) && kind != .global
    if kind != .main {
      let occupation = core.tryEnter(self, isBarrier: isBarrier)
      if occupation != .none {
        defer { core.exit(self, from: occupation) }
        return try occupiedTarget { () throws(Failure) in
          try QueueFrame.run(on: self, occupation, body)
        }
      }
    }
    core.checkThatCallerMayWait(for: self, isBarrier: isBarrier)
    let occupation: @Sendable () -> QueueFrame.Occupation = {
      self.core.isSerial || isBarrier ? .exclusive : .shared
    }
    return try runElsewhere(on: self, occupation(), body) { add($0, isBarrier: isBarrier) }
  }

  /// Runs a closure while the calling thread, which occupies this queue, occupies all its targets.
  ///
  /// It is inlined, so that a queue without a target costs nothing.
  @inline(__always)
  private func occupiedTarget<Result: ~Copyable, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let target else { return try body() }
    return try target.occupied(body)
  }

  /// Runs a closure while the calling thread occupies this queue and all its targets.
  @inline(never)
  private func occupied<Result: ~Copyable, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch kind {
    case .own:
      let occupation = core.enter(self, isBarrier: runsOneByOne)
      defer { core.exit(self, from: occupation) }
      guard let target else { return try body() }
      return try target.occupied(body)
    case .global:
      return try body()
    case .main:
      return try runOnMainThread(body)
    }
  }

  private func runOnMainThread<Result: ~Copyable, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    checkThatWaitingEnds()
    return try runElsewhere(on: self, .exclusive, body) { add($0) }
  }
}
