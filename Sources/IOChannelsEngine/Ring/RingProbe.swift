import IOChannelsSystem

/// A test whether a ring works in this process.
///
/// Some sandboxes allow to create a ring and then forbid its use, or the writes that wake its
/// thread. So the probe performs a request that does nothing, a write to an `eventfd`, and a
/// read of it by the ring.
enum RingProbe {
  static func run() throws(ProbeFailure) {
    let ring = try step(.setup) { () throws(SystemError) in try Ring() }
    try step(.enter) { () throws(SystemError) in try ring.enable(workers: 1) }
    guard ring.prepareNothing(token: 1) else {
      throw ProbeFailure(step: .nothing, error: .resourceBusy)
    }
    try answer(of: ring, step: .nothing, expected: 0)
    let wakeup = try step(.read) { () throws(SystemError) in try WakeupDescriptor() }
    try step(.wakeup) { () throws(SystemError) in try wakeup.trySignal() }
    guard ring.prepareWakeup(from: wakeup.borrowed, token: 2) else {
      throw ProbeFailure(step: .read, error: .resourceBusy)
    }
    try answer(of: ring, step: .read, expected: 8)
  }

  private static func answer(
    of ring: borrowing Ring,
    step name: ProbeFailure.Step,
    expected: Int32
  ) throws(ProbeFailure) {
    // A signal may interrupt the wait, once for each iteration.
    while true {
      do throws(SystemError) {
        try ring.submit(answers: 1)
      } catch {
        if error == .interrupted { continue }
        throw ProbeFailure(step: .enter, error: error)
      }
      if let completion = ring.takeCompletion() {
        if completion.result == expected { return }
        throw ProbeFailure(step: name, error: SystemError(rawValue: abs(completion.result)))
      }
    }
  }

  private static func step<R: ~Copyable>(
    _ name: ProbeFailure.Step,
    _ body: () throws(SystemError) -> R
  ) throws(ProbeFailure) -> R {
    do {
      return try body()
    } catch {
      throw ProbeFailure(step: name, error: error)
    }
  }
}
