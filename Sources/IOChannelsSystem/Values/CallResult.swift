internal import CIOChannelsSystem

extension csys_result {
  /// The value, or the error as a Swift error.
  func get() throws(SystemError) -> Int {
    if error != 0 { throw SystemError(rawValue: error) }
    return Int(value)
  }
}

/// How often a call that was interrupted is made again. Signals hardly come so often during one
/// call; a file system in a program of somebody else's may answer so for ever, without any.
let interruptionLimit = 1000

/// Makes a call again while a signal interrupts it.
///
/// - Throws: `EINTR` after so many times that it cannot be signals any more.
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
