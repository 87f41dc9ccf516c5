// The overloads for `Duration` take literals such as `.seconds(1)`, so these are disfavored.
extension TimerSource {
  /// Sets the first fire and the interval in the form of Dispatch.
  ///
  /// An interval that never ends stands for a timer that fires once. Otherwise it behaves as the
  /// overload for `Duration`.
  @_disfavoredOverload
  public func schedule(
    deadline: Deadline,
    repeating interval: ClockInterval = .never,
    leeway: ClockInterval = .nanoseconds(0)
  ) {
    schedule(deadline: deadline, repeating: Duration(interval), leeway: Duration(leeway))
  }

  /// Sets the first fire and the interval in seconds, with a leeway in the form of Dispatch.
  @_disfavoredOverload
  public func schedule(deadline: Deadline, repeating interval: Double, leeway: ClockInterval) {
    schedule(deadline: deadline, repeating: interval, leeway: Duration(leeway))
  }

  /// Sets the first fire on the wall clock and the interval in the form of Dispatch.
  ///
  /// An interval that never ends stands for a timer that fires once.
  @_disfavoredOverload
  public func schedule(
    wallDeadline: WallDeadline,
    repeating interval: ClockInterval = .never,
    leeway: ClockInterval = .nanoseconds(0)
  ) {
    schedule(wallDeadline: wallDeadline, repeating: Duration(interval), leeway: Duration(leeway))
  }

  /// Sets the first fire on the wall clock, the interval in seconds, and a leeway in the form of
  /// Dispatch.
  @_disfavoredOverload
  public func schedule(
    wallDeadline: WallDeadline,
    repeating interval: Double,
    leeway: ClockInterval
  ) {
    schedule(wallDeadline: wallDeadline, repeating: interval, leeway: Duration(leeway))
  }
}
