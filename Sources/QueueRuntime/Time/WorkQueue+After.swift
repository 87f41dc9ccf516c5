extension WorkQueue {
  /// Submits a closure at a deadline, never before it.
  ///
  /// A deadline that has passed submits at once; the distant future never does. The submission may
  /// be late by the leeway, but only so that several can share one wake of the processor. By
  /// default the leeway is a tenth of the time until the deadline, at least a millisecond and at
  /// most a minute. A negative one counts as none (<doc:Rules#S93>).
  @preconcurrency
  public func asyncAfter(
    deadline: Deadline,
    leeway: Duration? = nil,
    qos: QoS = .unspecified,
    flags: WorkItem.Flags = [],
    execute body: consuming @escaping @Sendable () -> Void
  ) {
    arm(at: deadline, leeway, call(qos, flags, consume body))
  }

  /// Submits a closure at a deadline of the wall clock, which follows changes of that clock.
  ///
  /// Otherwise it behaves as the overload for `Deadline`.
  @preconcurrency
  public func asyncAfter(
    wallDeadline: WallDeadline,
    leeway: Duration? = nil,
    qos: QoS = .unspecified,
    flags: WorkItem.Flags = [],
    execute body: consuming @escaping @Sendable () -> Void
  ) {
    arm(atWall: wallDeadline, leeway, call(qos, flags, consume body))
  }

  /// Submits an item at a deadline, never before it.
  ///
  /// A cancelled item is still submitted, and then skipped. Otherwise it behaves as the overload
  /// for closures.
  public func asyncAfter(deadline: Deadline, leeway: Duration? = nil, execute item: WorkItem) {
    arm(at: deadline, leeway, .submitItem(self, item))
  }

  /// Submits an item at a deadline of the wall clock.
  public func asyncAfter(
    wallDeadline: WallDeadline,
    leeway: Duration? = nil,
    execute item: WorkItem
  ) {
    arm(atWall: wallDeadline, leeway, .submitItem(self, item))
  }
}

extension WorkQueue {
  /// Returns the call that submits a closure; a class or flags of its own turn it into an item.
  private func call(
    _ qos: QoS,
    _ flags: WorkItem.Flags,
    _ body: consuming @escaping @Sendable () -> Void
  ) -> TimerService.Call {
    // After a passed deadline the caller may run the closure, which it must not keep (S82).
    if qos == .unspecified && flags.isEmpty { return .submit(self, consume body) }
    return .submitItem(self, WorkItem(qos: qos, flags: flags, block: consume body))
  }

  /// Arms the submission of a call, or makes it now if the deadline has passed.
  func arm(
    at deadline: Deadline,
    _ leeway: Duration?,
    _ call: consuming TimerService.Call
  ) {
    if deadline == .distantFuture { return }
    // The clock is read once, for the check of the deadline and for the leeway.
    let left = deadline.nanosecondsLeft()
    if left == 0 { return call.perform(1) }
    let leeway = leeway?.wholeNanoseconds ?? TimerSchedule.leeway(ofTimeLeft: left)
    TimerService.shared.arm(deadline.clock.kernelClock, at: deadline.point, leeway: leeway, call)
  }

  /// Arms the submission of a call at a deadline of the wall clock.
  func arm(
    atWall deadline: WallDeadline,
    _ leeway: Duration?,
    _ call: consuming TimerService.Call
  ) {
    if deadline == .distantFuture { return }
    let left = deadline.nanosecondsLeft()
    if left == 0 { return call.perform(1) }
    let leeway = leeway?.wholeNanoseconds ?? TimerSchedule.leeway(ofTimeLeft: left)
    TimerService.shared.arm(.wall, at: deadline.point, leeway: leeway, call)
  }
}
