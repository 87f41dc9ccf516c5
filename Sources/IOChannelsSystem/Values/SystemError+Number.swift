extension SystemError? {
  /// The number of the error, 0 for none.
  package var number: Int32 { self?.rawValue ?? 0 }
}
