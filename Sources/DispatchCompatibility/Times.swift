// The functions of `time.h`.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CDispatchABI

/// Returns a time that is later by nanoseconds, on the same clock.
@c @implementation
public func gcd_time(_ when: gcd_time_t, _ delta: Int64) -> gcd_time_t {
  TimeCode(when).advanced(by: delta).code
}

/// Returns whether a time is the distant future.
@c @implementation
public func gcdimpl_is_forever(_ when: gcd_time_t) -> Bool { TimeCode(when) == .forever }

/// Returns a time of the wall clock that is later than another by nanoseconds.
@c @implementation
public func gcdimpl_walltime(
  _ seconds: Int64,
  _ nanoseconds: Int64,
  _ delta: Int64
) -> gcd_time_t {
  TimeCode.wallCode(seconds: seconds, nanoseconds: nanoseconds, delta: delta)
}

/// Returns a time of the wall clock that is later than the present by nanoseconds.
@c @implementation
public func gcdimpl_walltime_now(_ delta: Int64) -> gcd_time_t {
  TimeCode.wallCode(afterNowBy: delta)
}
