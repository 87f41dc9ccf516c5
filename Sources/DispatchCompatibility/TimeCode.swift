internal import Glibc
internal import QueueRuntime

/// A time as a C program stores it, in one number.
///
/// Below 2^62 the number is an uptime in nanoseconds. With bit 63 set and bit 62 clear it is a boot
/// time. With both bits set it is 2^64 less the nanoseconds of the wall clock. 0, 2^63 and 2^64 - 2
/// stand for the present of these clocks. 2^64 - 1 stands for the distant future, and so do the
/// numbers that no clock has.
enum TimeCode: Equatable {
  case deadline(Deadline)
  case wall(WallDeadline)
  case forever

  /// The number that programs write for the distant future.
  static let codeOfForever = UInt64.max
  /// The largest number of nanoseconds, which as the result of a sum stands for the distant future.
  private static let bound: UInt64 = (1 << 62) - 1
  /// The first time of the wall clock, which stands for the present.
  private static let firstOfWall: UInt64 = 2

  /// Decodes a number.
  init(_ code: UInt64) {
    switch code >> 62 {
    case 0b00: self = .deadline(Deadline(uptimeNanoseconds: code))
    case 0b10: self = .deadline(Deadline(bootTimeNanoseconds: code & Self.bound))
    case 0b11 where code < .max && 0 &- code <= Self.bound:
      self = .wall(WallDeadline(seconds: 0, nanoseconds: Int64(0 &- code)))
    default: self = .forever
    }
  }

  /// The number for the time.
  var code: UInt64 {
    switch self {
    case .deadline(let deadline): deadline.rawValue
    case .wall(let deadline): deadline.rawValue
    case .forever: Self.codeOfForever
    }
  }

  /// Returns the time that is later by nanoseconds, limited to the range of its clock.
  func advanced(by nanoseconds: Int64) -> TimeCode {
    let time = Duration.nanoseconds(nanoseconds)
    switch self {
    case .deadline(let deadline): return TimeCode(deadline.advanced(by: time).rawValue)
    case .wall(let deadline): return TimeCode(deadline.advanced(by: time).rawValue)
    case .forever: return .forever
    }
  }

  /// Returns the number of the sum of a time of the C library and nanoseconds.
  ///
  /// The parts may have any value. A sum that the wall clock does not have becomes its first time
  /// or the distant future. As in Dispatch, the start of 1970 and all before it are the distant
  /// future too, unless the nanoseconds are negative.
  static func wallCode(seconds: Int64, nanoseconds: Int64, delta: Int64) -> UInt64 {
    let sum = Int128(seconds) * 1_000_000_000 + Int128(nanoseconds) + Int128(delta)
    if sum >= Int128(bound) || sum < Int128(firstOfWall) && delta >= 0 { return .max }
    return 0 &- max(UInt64(clamping: sum), firstOfWall)
  }

  /// Returns the number of the present of the wall clock plus nanoseconds.
  static func wallCode(afterNowBy delta: Int64) -> UInt64 {
    TimeCode.wall(.now()).advanced(by: delta).code
  }
}

extension TimeCode {
  /// Waits with one of three functions, for the kind of the time.
  ///
  /// - Returns: 0, or -1 with the error `ETIMEDOUT` if the time came first, as in Dispatch.
  func wait(
    forever: () -> Void,
    until: (Deadline) -> WaitResult,
    untilWall: (WallDeadline) -> WaitResult
  ) -> Int {
    let result: WaitResult
    switch self {
    case .deadline(let deadline): result = until(deadline)
    case .wall(let deadline): result = untilWall(deadline)
    case .forever:
      forever()
      result = .success
    }
    if result == .success { return 0 }
    errno = ETIMEDOUT
    return -1
  }
}
