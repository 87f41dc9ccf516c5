internal import CIOChannelsSystem
package import Synchronization

/// Parking on a word (futex), because `Mutex` has no condition variable.
///
/// The word must not move while a thread waits on it, so it is a stored property of a class.
extension Atomic where Value == UInt32 {
  /// Blocks the calling thread while the word is `expected`.
  ///
  /// Spurious wakeups are possible, so the caller loads the word again. Without `nanoseconds` the
  /// wait has no timeout.
  ///
  /// - Returns: Whether the timeout was reached.
  @discardableResult
  package borrowing func park(while expected: UInt32, nanoseconds: Int64? = nil) -> Bool {
    let limit = nanoseconds.map { Swift.max($0, 0) } ?? -1
    let result = unsafe withUnsafePointer(to: self) { word in
      unsafe csys_futex_wait(
        UnsafeRawPointer(word).assumingMemoryBound(to: UInt32.self),
        expected,
        limit
      )
    }
    return result.error == SystemError.timedOut.rawValue
  }

  /// Wakes at most `count` threads that are parked on the word.
  package borrowing func unpark(_ count: Int32 = 1) {
    _ = unsafe withUnsafePointer(to: self) { word in
      unsafe csys_futex_wake(UnsafeRawPointer(word).assumingMemoryBound(to: UInt32.self), count)
    }
  }
}
