/// One way to break a rule, and what the program must say before it ends.
struct Misuse: Sendable {
  enum Body: Sendable {
    case call(@Sendable () throws -> Void)
    case task(@Sendable () async throws -> Void)
  }

  let name: String
  let sentence: String
  let rule: String
  let body: Body

  /// A misuse by a call.
  static func call(
    _ name: String,
    _ sentence: String,
    _ rule: String,
    _ body: @escaping @Sendable () throws -> Void
  ) -> Misuse {
    Misuse(name: name, sentence: sentence, rule: rule, body: .call(body))
  }

  /// A misuse in a task.
  static func task(
    _ name: String,
    _ sentence: String,
    _ rule: String,
    _ body: @escaping @Sendable () async throws -> Void
  ) -> Misuse {
    Misuse(name: name, sentence: sentence, rule: rule, body: .task(body))
  }

  /// The line on standard error.
  var line: String { "Fatal error: \(sentence) (\(rule))\n" }
}
