/// A test's surroundings did not do what they should.
public struct TestFailure: Error, CustomStringConvertible {
  /// What happened.
  public let description: String

  /// Makes a failure with a sentence.
  public init(_ description: String) {
    self.description = description
  }
}
