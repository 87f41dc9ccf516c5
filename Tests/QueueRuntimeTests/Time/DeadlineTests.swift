import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("Deadlines")
struct DeadlineTests {
  private let second: UInt64 = 1_000_000_000
  /// The last result of arithmetic before the distant future.
  private let last: UInt64 = (1 << 62) - 2

  @Test("A deadline counts nanoseconds")
  func countsNanoseconds() {
    let deadline = Deadline(uptimeNanoseconds: 5) + .seconds(2) - .nanoseconds(1)
    #expect(deadline.uptimeNanoseconds == 2 * second + 4)
    #expect(deadline.nanoseconds == 2 * second + 4)
    #expect(deadline.advanced(by: .milliseconds(-1)).nanoseconds == 1_999_000_004)
    #expect(Deadline(uptimeNanoseconds: 7) + Duration(attoseconds: 1_999_999_999) > .start(7))
    #expect((Deadline.start(7) + Duration(attoseconds: 1_999_999_999)).nanoseconds == 8)
    #expect((WallDeadline(seconds: 3, nanoseconds: 4) + .seconds(1)).nanoseconds == 4 * second + 4)
    #expect((WallDeadline(seconds: 3, nanoseconds: 4) - .seconds(1)).nanoseconds == 2 * second + 4)
  }

  @Test("A deadline is created from the two parts of a timespec")
  func isMadeOfTheTwoPartsOfATimespec() {
    #expect(Deadline(seconds: 2, nanoseconds: 3) == .start(2 * second + 3))
    #expect(Deadline(seconds: 2, nanoseconds: -1) == .start(2 * second - 1))
    #expect(Deadline(seconds: 0, nanoseconds: 3 * Int64(second)) == .start(3 * second))
    #expect(Deadline(seconds: -1, nanoseconds: 5) == .start(0))
    #expect(Deadline(seconds: .max, nanoseconds: .max) == .distantFuture)
    #expect(Deadline(seconds: .min, nanoseconds: .min) == .start(0))
    #expect(Deadline(seconds: .max, nanoseconds: .min) == .distantFuture)
    #expect(Deadline(seconds: 1, nanoseconds: 0, clock: .bootTime).clock == .bootTime)
    let late = WallDeadline(seconds: 18_446_744_073, nanoseconds: 709_551_614)
    #expect(late.nanoseconds == UInt64.max - 1)
    #expect(WallDeadline(seconds: 18_446_744_073, nanoseconds: 709_551_615) == .distantFuture)
    #expect(WallDeadline(seconds: -5, nanoseconds: 0).nanoseconds == 0)
  }

  @Test("A deadline is created from a timespec")
  func isCreatedFromATimespec() {
    func wall(_ seconds: Int, _ nanoseconds: Int) -> WallDeadline {
      WallDeadline(timespec: clockTime(seconds: seconds, nanoseconds: nanoseconds))
    }
    #expect(wall(2, 3).nanoseconds == 2 * second + 3)
    #expect(wall(2, -1).nanoseconds == 2 * second - 1)
    #expect(wall(0, 0).nanoseconds == 0)
    #expect(wall(0, .max).nanoseconds == UInt64(Int.max))
    #expect(wall(-1, 5).nanoseconds == 0)
    #expect(wall(.max, .max) == .distantFuture)
    #expect(wall(.min, .min).nanoseconds == 0)
  }

  @Test("Arithmetic saturates (S91)")
  func arithmeticSaturates() {
    let largest = Duration(attoseconds: .max)
    let smallest = Duration(attoseconds: .min)
    for point in [0, 1, second, last] {
      #expect(Deadline.start(point) + largest == .distantFuture)
      #expect(Deadline.start(point) - smallest == .distantFuture)
      #expect(Deadline.start(point) - largest == .start(1))
      #expect(Deadline.start(point) + smallest == .start(1))
    }
    for point in [last, last + 1, 1 << 63, .max - 1] as [UInt64] {
      #expect(Deadline.start(point).nanoseconds == point)
      #expect(Deadline.start(point) < .distantFuture)
      #expect(Deadline.start(point) + .nanoseconds(1) == .distantFuture)
    }
    #expect(Deadline.start(last + 1) - .nanoseconds(1) == .start(last))
    #expect(Deadline.start(last + 2) - .nanoseconds(1) == .distantFuture)
    #expect(Deadline.start(1) - .nanoseconds(1) == .start(1))
    #expect(Deadline.distantFuture - .seconds(1) == .distantFuture)
    #expect(Deadline.distantFuture + smallest == .distantFuture)
    #expect(Deadline(uptimeNanoseconds: .max) == .distantFuture)
    #expect(Deadline(bootTimeNanoseconds: .max) == .distantFuture)
    #expect(Deadline.distantFuture.uptimeNanoseconds == .max)
    #expect(WallDeadline.distantFuture - largest == .distantFuture)
    #expect(WallDeadline.now() + largest == .distantFuture)
    #expect((WallDeadline.now() - largest).nanoseconds == 2)
  }

  @Test("The start of a clock stands for the present in arithmetic (S91)")
  func startIsThePresent() {
    for clock in [Deadline.Clock.uptime, .bootTime] {
      let start = Deadline(seconds: 0, nanoseconds: 0, clock: clock)
      let before = Deadline.now(clock)
      let later = start + .seconds(1) - .seconds(1)
      #expect(before <= later && later <= .now(clock))
      #expect(start.nanoseconds == 0 && start.nanosecondsLeft() == 0)
      #expect(start.firstFire.nanoseconds >= Int64(later.nanoseconds))
    }
    let before = WallDeadline.now()
    let later = before - .infinity + .seconds(1)
    #expect(before + .seconds(1) <= later)
    #expect(WallDeadline(seconds: 0, nanoseconds: 0) + .seconds(1) < before)
  }

  @Test("A boot time has a raw value of its own (S220)")
  func rawValues() {
    #expect(Deadline(bootTimeNanoseconds: 5).rawValue == UInt64(Int64.max) + 6)
    #expect(Deadline(uptimeNanoseconds: 5).rawValue == 5)
    #expect(WallDeadline(seconds: 0, nanoseconds: 5).rawValue == UInt64.max - 4)
    #expect(WallDeadline(seconds: 0, nanoseconds: 0).rawValue == UInt64.max - 1)
  }

  @Test("Seconds with a fraction saturate too")
  func secondsWithAFractionSaturateToo() {
    #expect(Deadline.start(second) + 0.5 == .start(1_500_000_000))
    #expect(Deadline.start(second) - 0.25 == .start(750_000_000))
    #expect(Deadline.start(second) + -2 == .start(1))
    for value in [1e300, .infinity, 9.3e9, .nan] as [Double] {
      #expect(Deadline.start(second) + value == .distantFuture)
      #expect(WallDeadline.now() + value == .distantFuture)
      if value.isNaN { continue }
      #expect(Deadline.start(second) - value == .start(1))
      #expect((WallDeadline.now() - value).nanoseconds == 2)
    }
    #expect(Deadline.start(second) - Double.nan == .distantFuture)
    #expect(WallDeadline.now() - Double.nan == .distantFuture)
  }

  @Test("A distance goes both ways")
  func distanceGoesBothWays() {
    #expect(Deadline.start(3).distance(to: .start(10)) == .nanoseconds(7))
    #expect(Deadline.start(10).distance(to: .start(3)) == .nanoseconds(-7))
    #expect(Deadline.start(10).distance(to: .distantFuture) == .nanoseconds(Int64.max))
    #expect(Deadline.distantFuture.distance(to: .start(10)) == .nanoseconds(-Int64.max))
    #expect(Deadline.distantFuture.distance(to: .distantFuture) == .zero)
    let wall = WallDeadline(seconds: 5, nanoseconds: 0)
    #expect(wall.distance(to: wall + .seconds(-1)) == .seconds(-1))
    for point in [0, 1, last] {
      let deadline = Deadline.start(point)
      #expect(deadline.advanced(by: deadline.distance(to: .distantFuture)) == .distantFuture)
    }
    #expect(Deadline.start(5).distance(to: .start(.max - 1)) == .nanoseconds(Int64.max))
    #expect(Deadline.start(.max - 1).distance(to: .start(5)) == .nanoseconds(-Int64.max))
  }

  @Test("Clocks are kept apart")
  func clocksAreKeptApart() {
    // S90
    let boot = Deadline(bootTimeNanoseconds: 5)
    #expect(boot != Deadline(uptimeNanoseconds: 5))
    #expect(boot < Deadline(bootTimeNanoseconds: 6))
    #expect((boot + .seconds(1)).clock == .bootTime)
    #expect(boot < .distantFuture)
    #expect(!(Deadline.distantFuture < boot))
    #expect(boot + Duration(attoseconds: .max) == .distantFuture)
    #expect(boot.distance(to: .distantFuture) == .nanoseconds(Int64.max))
    #expect(Deadline.now(.bootTime).clock == .bootTime)
  }

  @Test("Successive presents are in order")
  func presentsAreInOrder() {
    let deadlines = (0..<100).map { _ in Deadline.now() }
    #expect(deadlines == deadlines.sorted())
    #expect(deadlines.allSatisfy { $0.clock == .uptime && $0.nanoseconds > 0 })
    // The boot time has what the uptime has, and the sleep; it is read later, too.
    #expect(Deadline.now().nanoseconds <= Deadline.now(.bootTime).nanoseconds)
    // The test was written in 2026.
    #expect(WallDeadline.now() > WallDeadline(seconds: 1_767_225_600, nanoseconds: 0))
  }

  @Test("A deadline returns the remaining time")
  func tellsWhatIsLeft() {
    #expect(Deadline.now().nanosecondsLeft() == 0)
    #expect(Deadline.start(0).nanosecondsLeft() == 0)
    #expect(Deadline.distantFuture.nanosecondsLeft() == .max)
    #expect(WallDeadline.distantFuture.nanosecondsLeft() == .max)
    #expect((WallDeadline.now() - .seconds(1)).nanosecondsLeft() == 0)
    for clock in [Deadline.Clock.uptime, .bootTime] {
      let start = Deadline.now(clock)
      let left = (start + .seconds(100)).nanosecondsLeft()
      let passed = start.distance(to: .now(clock))
      #expect(.nanoseconds(left) <= Duration.seconds(100))
      #expect(.nanoseconds(left) + passed >= Duration.seconds(100))
    }
    #expect((WallDeadline.now() + .seconds(1000)).nanosecondsLeft() > 900 * Int64(second))
  }
}

extension Deadline {
  /// A point of the uptime.
  fileprivate static func start(_ nanoseconds: UInt64) -> Deadline {
    Deadline(uptimeNanoseconds: nanoseconds)
  }
}

@Suite("Misuse of deadlines")
struct TimeMisuseTests {
  @Test("A comparison of deadlines of two clocks stops the program")
  func comparingDeadlinesOfTwoClocks() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = Deadline.now() < Deadline.now(.bootTime)
    }
    expectMessage("Deadlines of two clocks have no order and no distance.", from: result)
  }

  @Test("The distance between two clocks stops the program")
  func theDistanceBetweenTwoClocks() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = Deadline.now(.bootTime).distance(to: .now())
    }
    expectMessage("Deadlines of two clocks have no order and no distance.", from: result)
  }

  @Test("The uptime of a boot time stops the program")
  func theUptimeOfABootTime() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = Deadline.now(.bootTime).uptimeNanoseconds
    }
    expectMessage("A deadline of the boot time has no uptime.", from: result)
  }
}
