// The functions of `semaphore.h`.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CDispatchABI
internal import QueueRuntime

/// Creates a semaphore; nil for a negative number of permits.
@c @implementation
public func gcd_semaphore_create(_ value: Int) -> gcd_semaphore_t? {
  if value < 0 { return nil }
  return unsafe retained(CountingSemaphore(value: value))
}

/// Takes a permit of a semaphore, unless none is available until a time.
@c @implementation
public func gcd_semaphore_wait(_ semaphore: gcd_semaphore_t, _ timeout: gcd_time_t) -> Int {
  unsafe with(semaphore, as: CountingSemaphore.self) { semaphore in
    // The usual case needs no decoding.
    if timeout == TimeCode.codeOfForever {
      semaphore.waitInPlace()
      return 0
    }
    return TimeCode(timeout).wait(
      forever: { semaphore.waitInPlace() },
      until: { semaphore.wait(timeout: $0) },
      untilWall: { semaphore.wait(wallTimeout: $0) }
    )
  }
}

/// Adds a permit to a semaphore, and reports whether a thread was waiting for it.
@c @implementation
public func gcd_semaphore_signal(_ semaphore: gcd_semaphore_t) -> Int {
  unsafe with(semaphore, as: CountingSemaphore.self) { $0.signalInPlace() }
}
