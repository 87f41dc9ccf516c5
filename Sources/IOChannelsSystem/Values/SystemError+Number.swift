extension SystemError {
  /// Creates an error from a number as handlers receive it; nil for 0, which means no error.
  public init?(number: Int32) {
    if number == 0 { return nil }
    self.init(rawValue: number)
  }
}

extension SystemError? {
  /// The number of the error, 0 for none.
  package var number: Int32 { self?.rawValue ?? 0 }
}

extension SystemError {
  /// Returns whether a number, as handlers receive it, is that of an error.
  public static func == (number: Int32, error: SystemError) -> Bool { number == error.rawValue }

  /// Returns whether a number, as handlers receive it, is not that of an error.
  public static func != (number: Int32, error: SystemError) -> Bool { number != error.rawValue }

  /// Returns whether an error has a number, so that a `switch` over numbers can name errors.
  public static func ~= (error: SystemError, number: Int32) -> Bool { number == error.rawValue }
}
