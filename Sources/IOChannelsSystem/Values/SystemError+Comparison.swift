/// Comparisons with the bare numbers that handlers and system calls report, where 0 stands for no
/// error.
extension SystemError {
  /// Returns whether a number is that of an error.
  public static func == (number: Int32, error: SystemError) -> Bool { number == error.rawValue }

  /// Returns whether an error has a number.
  public static func == (error: SystemError, number: Int32) -> Bool { error.rawValue == number }

  /// Returns whether a number is not that of an error.
  public static func != (number: Int32, error: SystemError) -> Bool { number != error.rawValue }

  /// Returns whether an error does not have a number.
  public static func != (error: SystemError, number: Int32) -> Bool { error.rawValue != number }

  /// Returns whether a number is that of an error, for `case SystemError.canceled` in a `switch`.
  public static func ~= (error: SystemError, number: Int32) -> Bool { number == error.rawValue }
}
