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
