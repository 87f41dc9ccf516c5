import Foundation

/// The processor time and context switches of some work, by the kernel's account of all threads.
public struct ProcessorUse: Sendable, Equatable {
  /// Processor time in seconds.
  public let seconds: Double
  /// The number of voluntary context switches; nil if it is unknown.
  public let sleeps: Double?

  /// Gives the numbers.
  public init(seconds: Double, sleeps: Double?) {
    self.seconds = seconds
    self.sleeps = sleeps
  }

  /// Takes the numbers from the kernel's account of a process.
  public init(_ account: rusage) {
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    self.init(
      seconds: seconds(account.ru_utime) + seconds(account.ru_stime),
      sleeps: Double(account.ru_nvcsw)
    )
  }

  static func + (one: ProcessorUse, other: ProcessorUse) -> ProcessorUse {
    one.joined(with: other) { $0 + $1 }
  }

  static func - (one: ProcessorUse, other: ProcessorUse) -> ProcessorUse {
    one.joined(with: other) { $0 - $1 }
  }

  private func joined(
    with other: ProcessorUse,
    by join: (Double, Double) -> Double
  ) -> ProcessorUse {
    ProcessorUse(
      seconds: join(seconds, other.seconds),
      sleeps: sleeps.flatMap { one in other.sleeps.map { join(one, $0) } }
    )
  }

  /// The use of this process until now.
  static var ofThisProcess: ProcessorUse {
    var account = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &account)
    return ProcessorUse(account)
  }
}

/// The duration of some work, and its use of processors.
public struct Timing: Sendable, Equatable {
  /// The time.
  public let duration: Duration
  /// The use of processors, without work that the kernel charges to others.
  public let use: ProcessorUse

  /// Gives both.
  public init(duration: Duration, use: ProcessorUse) {
    self.duration = duration
    self.use = use
  }

  /// Times work of this process.
  public static func of<Result>(_ work: () throws -> Result) rethrows -> (Result, Timing) {
    let clock = ContinuousClock()
    let before = ProcessorUse.ofThisProcess
    let start = clock.now
    let result = try work()
    let duration = clock.now - start
    let after = ProcessorUse.ofThisProcess
    return (result, Timing(duration: duration, use: after - before))
  }

  /// Returns the sum of two timings, one after the other.
  public static func + (one: Timing, other: Timing) -> Timing {
    Timing(duration: one.duration + other.duration, use: one.use + other.use)
  }

  /// Returns the mean of some timings.
  public static func mean(_ timings: [Timing]) -> Timing {
    let nothing = ProcessorUse(seconds: 0, sleeps: 0)
    let none = Timing(duration: .zero, use: nothing)
    let sum = timings.reduce(none, +)
    let count = max(timings.count, 1)
    return Timing(
      duration: sum.duration / count,
      use: ProcessorUse(
        seconds: sum.use.seconds / Double(count),
        sleeps: sum.use.sleeps.map { $0 / Double(count) }
      )
    )
  }
}
