internal import CIOChannelsSystem

extension csys_result {
  /// Returns the value or throws the error.
  func get() throws(SystemError) -> Int {
    if error != 0 { throw SystemError(rawValue: error) }
    return Int(value)
  }
}

/// The number of times that an interrupted call is repeated.
///
/// So many signals during one call are unlikely. A file system in user space may return `EINTR` for
/// ever, without any signal.
let interruptionLimit = 1000

/// Repeats a call while a signal interrupts it.
///
/// - Throws: `EINTR` after `interruptionLimit` interruptions.
@inline(__always)
func uninterrupted(_ call: () -> csys_result) throws(SystemError) -> Int {
  var interruptions = 0
  while true {
    let result = call()
    if result.error == SystemError.interrupted.rawValue, interruptions < interruptionLimit {
      interruptions += 1
      continue
    }
    return try result.get()
  }
}
