// The functions of `time.h`.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CDispatchABI
public import Glibc
internal import QueueRuntime

/// Returns a time that is later by nanoseconds, on the same clock.
@c @implementation
public func gcd_time(_ when: gcd_time_t, _ delta: Int64) -> gcd_time_t {
  TimeCode(when).advanced(by: delta).code
}

/// Returns a time of the wall clock that is later than another by nanoseconds; nil stands for the
/// present.
@c @implementation
public func gcd_walltime(_ when: UnsafePointer<timespec>?, _ delta: Int64) -> gcd_time_t {
  guard let when = unsafe when else { return TimeCode.wallCode(afterNowBy: delta) }
  // The members of the structure cannot be named: see `WallDeadline.init(timespec:)`.
  let (seconds, nanoseconds) = unsafe UnsafeRawPointer(when).load(as: (Int64, Int64).self)
  return TimeCode.wallCode(seconds: seconds, nanoseconds: nanoseconds, delta: delta)
}
