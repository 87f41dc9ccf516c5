import QueueRuntime
import Testing

@testable import DispatchCompatibility

@Suite("Times of C programs, as one number each (S91)")
struct TimeCodeTests {
  private static let boot: UInt64 = 1 << 63
  private static let last: UInt64 = (1 << 62) - 2
  private static let early: UInt64 = (1 << 62) - 4
  private static let bound: UInt64 = (1 << 62) - 1
  private static let never = UInt64.max

  /// Returns the number of a time of the wall clock.
  private static func wall(_ nanoseconds: UInt64) -> UInt64 { 0 &- nanoseconds }

  /// Nanoseconds of an uptime or a boot time, a difference, and the sum, nil for the distant
  /// future: the results of `dispatch_time`.
  private static let sums: [(time: UInt64, delta: Int64, sum: UInt64?)] = [
    (1, 0, 1), (1, 10, 11), (1, -1, 1), (5, -1, 4), (5, -10, 1), (1_000, 1_000, 2_000),
    (1_000, -2_000, 1), (1, .max, nil), (1, .min, 1), (1, 4_611_686_018_427_387_901, last),
    (2, 4_611_686_018_427_387_901, nil), (last, 0, last), (last, 1, nil), (last, -2, early),
    (last, .min, 1), (bound, 0, nil), (bound, -1, last), (bound, .min, 1), (0, .min, 1),
    (0, .max, nil),
  ]

  /// Nanoseconds of the wall clock, a difference and the sum.
  private static let wallClockSums: [(time: UInt64, delta: Int64, sum: UInt64?)] = [
    (3, 0, 3), (3, 1, 4), (3, -1, 2), (3, -10, 2), (1_000, 1_000, 2_000), (1_000, -2_000, 2),
    (1_000, .max, nil), (1_000, .min, 2), (last, 0, last), (last, 1, nil), (bound, 0, nil),
    (bound, -1, last), (2, .min, 2), (2, .max, nil),
  ]

  /// Seconds, nanoseconds and a difference, with their sum on the wall clock.
  private static let partSums: [(seconds: Int64, nanoseconds: Int64, delta: Int64, sum: UInt64?)] =
    [
      (0, 2, 0, 2), (0, 2, 1, 3), (0, 3, -5, 2), (0, 5, -1, 4), (1, 0, 0, 1_000_000_000),
      (1, 1_500_000_000, 1, 2_500_000_001), (1, -1, -1, 999_999_998),
      (-1, 2_000_000_000, -5, 999_999_995), (100, 0, -1, 99_999_999_999), (1, 0, .max, nil),
      (1, 0, .min, 2), (4_611_686_018, 427_387_902, 0, last), (4_611_686_018, 427_387_903, 0, nil),
      (4_611_686_018, 427_387_903, -1, last), (.max, .max, .max, nil), (.min, .min, .min, 2),
      (.max, 0, -1, nil),
      // Dispatch takes the start of 1970 for the distant future.
      (0, 0, 0, nil), (0, 1, 0, nil), (-1, 0, 0, nil), (0, 0, 1, nil), (0, 1, 1, 2),
      (0, 0, -1, 2), (-1, 0, -1, 2),
    ]

  @Test("A sum is limited to the range of its clock (S91)")
  func sums() {
    for (time, delta, sum) in Self.sums {
      for clock: UInt64 in [0, Self.boot] {
        let result = TimeCode(clock + time).advanced(by: delta).code
        let expected = sum.map { clock + $0 } ?? Self.never
        #expect(result == expected, "\(time) and \(delta)")
      }
    }
    for (time, delta, sum) in Self.wallClockSums {
      let result = TimeCode(Self.wall(time)).advanced(by: delta).code
      let expected = sum.map { Self.wall($0) } ?? Self.never
      #expect(result == expected, "\(time) and \(delta)")
    }
  }

  @Test("Numbers that no clock has stand for the distant future")
  func numbersOfNoClock() {
    let codes: [UInt64] = [1 << 62, Self.boot - 1, Self.wall(1 << 62), Self.never]
    let deltas: [Int64] = [0, 1, -1, .max, .min]
    for code in codes {
      for delta in deltas {
        #expect(TimeCode(code).advanced(by: delta) == .forever)
      }
    }
  }

  @Test("A sum on the wall clock is limited to its range (S91)")
  func sumsOfParts() {
    for (seconds, nanoseconds, delta, sum) in Self.partSums {
      let result = TimeCode.wallCode(seconds: seconds, nanoseconds: nanoseconds, delta: delta)
      let expected = sum.map { Self.wall($0) } ?? Self.never
      #expect(result == expected, "\(seconds) s, \(nanoseconds) ns and \(delta)")
    }
  }

  @Test("A number belongs to one clock")
  func clocks() {
    #expect(TimeCode(0) == .deadline(Deadline(uptimeNanoseconds: 0)))
    #expect(TimeCode(7) == .deadline(Deadline(uptimeNanoseconds: 7)))
    #expect(TimeCode(Self.boot + 7) == .deadline(Deadline(bootTimeNanoseconds: 7)))
    #expect(TimeCode(Self.wall(7)) == .wall(WallDeadline(seconds: 0, nanoseconds: 7)))
  }

  @Test("A number is kept by its time")
  func numbersAreKept() {
    let numbers: [UInt64] = [
      0, 1, Self.last, Self.bound, Self.boot, Self.boot + 1, Self.boot + Self.bound, Self.wall(2),
      Self.wall(1_000), Self.wall(Self.bound), Self.never,
    ]
    for number in numbers { #expect(TimeCode(number).code == number) }
  }

  @Test("Three numbers stand for the present")
  func present() {
    for start: UInt64 in [0, Self.boot] {
      let clock: Deadline.Clock = start == 0 ? .uptime : .bootTime
      let before = Deadline.now(clock).rawValue
      let now = TimeCode(start).advanced(by: 0).code
      #expect(before <= now && now <= Deadline.now(clock).rawValue)
    }
    let before = WallDeadline.now().nanoseconds
    for code in [TimeCode(Self.wall(2)).advanced(by: 0).code, TimeCode.wallCode(afterNowBy: 0)] {
      let now = 0 &- code
      #expect(before <= now && now <= WallDeadline.now().nanoseconds)
    }
  }

  @Test("A wait reports success as 0, and a timeout as -1")
  func waits() {
    func wait(_ code: UInt64) -> Int {
      TimeCode(code).wait(
        forever: {},
        until: { $0.nanoseconds == 7 ? .success : .timedOut },
        untilWall: { $0.nanoseconds == 9 ? .success : .timedOut }
      )
    }
    #expect(wait(7) == 0 && wait(8) == -1)
    #expect(wait(Self.wall(9)) == 0 && wait(Self.wall(8)) == -1)
    #expect(wait(Self.never) == 0)
  }
}
