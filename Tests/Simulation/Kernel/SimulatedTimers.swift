import IOChannelsEngine

/// Timers of operations in the simulation's own time, of which a nanosecond is a tick.
///
/// `@unchecked Sendable` because an engine holds it; all of a run is on one thread.
final class SimulatedTimers: @unchecked Sendable {
  private struct Timer {
    let number: Int
    let interval: Int64
    var due: Int64
    let tick: @Sendable () -> Void
  }

  private let kernel: SimulatedKernel
  private let report: Report
  private var running: [Timer] = []
  private var nextNumber = 0

  init(kernel: SimulatedKernel, report: Report) {
    self.kernel = kernel
    self.report = report
  }

  var isEmpty: Bool { running.isEmpty }

  /// The timers for an engine.
  var timers: IntervalTimers {
    { [unowned self] interval, tick in
      let number = nextNumber
      nextNumber += 1
      let length = Int64(interval / .nanoseconds(1))
      running.append(
        Timer(number: number, interval: length, due: kernel.now + length, tick: tick)
      )
      return { [unowned self] in running.removeAll { $0.number == number } }
    }
  }

  /// Lets a timer go off whose time has come, or time pass until one has.
  func step(_ random: StepGenerator) {
    let due = running.indices.filter { running[$0].due <= kernel.now }
    guard !due.isEmpty else {
      return kernel.pass(to: running.map(\.due).min() ?? kernel.now)
    }
    let index = random.element(of: due)
    while running[index].due <= kernel.now { running[index].due += running[index].interval }
    report.count(.ticked)
    running[index].tick()
  }
}
