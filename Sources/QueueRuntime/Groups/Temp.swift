extension WorkGroup {
  /// Temporary.
  public func wait(timeout: Duration) -> WaitResult {
    let deadline = ContinuousClock.now + min(timeout, .seconds(1 << 40))
    return wait {
      let left = min(max(ContinuousClock.now.duration(to: deadline), .zero), .seconds(31_536_000))
      return left.components.seconds * 1_000_000_000 + left.components.attoseconds / 1_000_000_000
    }
  }
}
