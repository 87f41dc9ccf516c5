internal import CIOChannelsSystem

/// The number of checks before a thread parks: a few microseconds, less than parking and waking.
private let spinCount = 128

/// Spins for a moment until a condition holds, without yielding the processor.
///
/// - Returns: Whether the condition held. It is not evaluated again after that.
@discardableResult
@inline(__always)
package func spin(until condition: () -> Bool) -> Bool {
  for _ in 0..<spinCount {
    if condition() { return true }
    csys_spin_hint()
  }
  return false
}
