internal import CIOChannelsSystem

/// How often a thread looks before it parks: a few microseconds, which is less than parking and
/// waking take together.
private let turns = 128

/// Looks at what another thread is about to do, a moment long, without giving up the processor.
///
/// - Returns: Whether the condition held at one of the looks, which is then the last one.
@discardableResult
@inline(__always)
package func spin(until condition: () -> Bool) -> Bool {
  for _ in 0..<turns {
    if condition() { return true }
    csys_spin_hint()
  }
  return false
}
