import TestSupport

@testable import EventSources

/// A child that a test observes.
///
/// It is killed and waited for with this object, unless the test has waited for it.
final class Observed: Sendable {
  private let child: ChildProcess
  private let isWaitedFor = BargingLock(false)

  init(_ command: [String]) throws { child = try ChildProcess(command) }

  /// Starts a child that runs until a signal ends it.
  convenience init() throws { try self.init(["sleep", "1000"]) }

  deinit {
    if isWaitedFor.withLock({ $0 }) { return }
    child.send(signal: 9)
    _ = try? child.wait()
  }

  var identifier: Int32 { child.identifier }

  var outputLines: [String] {
    String(decoding: child.outputSoFar, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func kill() { child.send(signal: 9) }

  func wait() throws -> Outcome {
    isWaitedFor.withLock { $0 = true }
    return try child.wait()
  }
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
