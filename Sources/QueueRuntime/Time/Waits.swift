extension WorkGroup {
  /// Blocks the calling thread until the count is 0, at most until a deadline.
  ///
  /// With a deadline that has passed it only checks the count.
  @available(*, noasync, message: "It blocks a thread that tasks need")
  public func wait(timeout: Deadline) -> WaitResult { wait(timeout.nanosecondsOfWait) }

  /// Blocks the calling thread until the count is 0, at most until a deadline of the wall clock.
  @available(*, noasync, message: "It blocks a thread that tasks need")
  public func wait(wallTimeout: WallDeadline) -> WaitResult { wait(wallTimeout.nanosecondsOfWait) }
}

extension CountingSemaphore {
  /// Takes a permit; blocks the calling thread until one is available, at most until a deadline.
  ///
  /// With a deadline that has passed it takes only an available permit.
  @available(*, noasync, message: "It blocks a thread that tasks need")
  public func wait(timeout: Deadline) -> WaitResult { wait(timeout.nanosecondsOfWait) }

  /// Takes a permit; blocks the calling thread at most until a deadline of the wall clock.
  @available(*, noasync, message: "It blocks a thread that tasks need")
  public func wait(wallTimeout: WallDeadline) -> WaitResult { wait(wallTimeout.nanosecondsOfWait) }
}

extension WorkItem {
  /// Blocks the calling thread until the item has run, at most until a deadline.
  ///
  /// A wait that timed out does not count as the one wait that an item allows.
  ///
  /// - Precondition: The same as for `wait` without a deadline.
  @available(*, noasync, message: "It blocks a thread that tasks need")
  public func wait(timeout: Deadline) -> WaitResult {
    wait { $0.wait(timeout: timeout) }
  }

  /// Blocks the calling thread until the item has run, at most until a deadline of the wall clock.
  ///
  /// - Precondition: The same as for `wait` without a deadline.
  @available(*, noasync, message: "It blocks a thread that tasks need")
  public func wait(wallTimeout: WallDeadline) -> WaitResult {
    wait { $0.wait(wallTimeout: wallTimeout) }
  }
}

extension Deadline {
  /// Returns the time to park until the next check of the clock, 0 once the deadline has passed.
  func nanosecondsOfWait() -> Int64 {
    // Parking counts the uptime; the boot time may leap ahead of it.
    clock == .uptime ? nanosecondsLeft() : min(nanosecondsLeft(), 1_000_000_000)
  }
}

extension WallDeadline {
  /// Returns the time to park until the next check of the clock, 0 once the deadline has passed.
  func nanosecondsOfWait() -> Int64 {
    // The clock may be set meanwhile.
    min(nanosecondsLeft(), 1_000_000_000)
  }
}
