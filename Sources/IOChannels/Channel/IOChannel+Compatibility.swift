extension IOChannel: SuspendableObject {}

extension IOChannel {
  /// Sets the time after which a delivery is made, as an interval in the form of Dispatch.
  ///
  /// An interval that never ends counts as none. Otherwise it behaves as the overload for
  /// `Duration`.
  ///
  /// - Parameters:
  ///   - interval: The time from one call to the next.
  ///   - flags: `.strictInterval` for calls at each interval; without it the interval has no
  ///     effect.
  /// - Precondition: The interval is not negative.
  @_disfavoredOverload
  public func setInterval(interval: ClockInterval, flags: IntervalFlags = []) {
    setInterval(interval: interval == .never ? .zero : Duration(interval), flags: flags)
  }
}
