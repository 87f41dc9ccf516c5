/// A sentence that breaks a rule of prose on purpose.
struct ProseException: Sendable {
  /// The most exceptions that the repository may have.
  static let limit = 40

  /// The file, from the root of the repository.
  let path: String
  /// The end of the violation's text.
  let violation: String
  /// The reason for the exception.
  let reason: String

  static let all: [ProseException] = []

  /// Whether the exception allows a violation, as `ProseRule` describes it.
  func allows(_ violation: String) -> Bool {
    violation.hasPrefix(path + ":") && violation.hasSuffix(": " + self.violation)
  }
}
