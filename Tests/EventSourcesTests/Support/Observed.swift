import IOChannelsTestSupport

@testable import EventSources

/// A child that a test observes, and that does not outlive this object.
final class Observed: Sendable {
  private let child: ChildProcess

  init(_ command: [String]) throws { child = try ChildProcess(command) }

  /// Starts a child that runs until a signal ends it.
  convenience init() throws { try self.init(["sleep", "1000"]) }

  var identifier: Int32 { child.identifier }

  var outputLines: [String] {
    String(decoding: child.outputSoFar, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func kill() { child.send(signal: 9) }

  func wait() throws -> Outcome { try child.wait() }
}

/// Looks again and again until a condition holds.
///
/// - Throws: A failure with the sentence if it does not within 20 seconds.
func eventually(_ sentence: String, _ condition: () throws -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(20)
  while try !condition() {
    if ContinuousClock.now > end { throw TestFailure("not within 20 seconds: \(sentence)") }
    await withCheckedContinuation { continuation in
      WorkQueue.global().asyncAfter(deadline: .now() + .milliseconds(2)) { continuation.resume() }
    }
  }
}

extension EventSource {
  /// Suspends the source while a closure runs.
  ///
  /// A closure that throws leaves the source resumed: dropping a suspended one stops the program.
  func whileSuspended(_ body: () async throws -> Void) async throws {
    suspend()
    defer { resume() }
    try await body()
  }
}
