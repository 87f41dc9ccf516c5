internal import CSystem

extension csys_result {
  /// The value, or the error as a Swift error.
  func get() throws(Errno) -> Int {
    if error != 0 { throw Errno(rawValue: error) }
    return Int(value)
  }
}

/// Makes a call again while a signal interrupts it.
///
/// A signal ends the loop's turn, never the call for good, so the bound is the number of signals.
@inline(__always)
func uninterrupted(_ call: () -> csys_result) throws(Errno) -> Int {
  while true {
    let result = call()
    if result.error == Errno.interrupted.rawValue { continue }
    return try result.get()
  }
}
