import IOChannels
import RequestEngine
import TestSupport

extension IOChannel {
  /// Whether two channels have one order of operations.
  func shares(with other: IOChannel) -> Bool { sharedState === other.sharedState }
}

/// The backends that every test of channel semantics runs on.
enum TestBackend: String, CaseIterable, Sendable {
  case ring
  case threads

  /// One engine of each kind for the whole run: its threads live as long as the process.
  private static let ringEngine = Engine(setting: "uring")
  private static let threadEngine = Engine(setting: "threads")

  /// The engine, or a skip where the machine has no ring.
  func engine() throws -> Engine {
    switch self {
    case .threads:
      return TestBackend.threadEngine
    case .ring:
      try Need.ring.orSkip()
      guard TestBackend.ringEngine.choice.usesRing else {
        throw TestFailure("the ring was not chosen: \(TestBackend.ringEngine.choice.reason)")
      }
      return TestBackend.ringEngine
    }
  }

  /// The value of the setting that chooses it.
  var setting: String { self == .ring ? "uring" : "threads" }

  /// A channel whose requests this backend carries, with its cleanup in the trace.
  func channel(
    _ kind: IOChannel.Kind,
    _ descriptor: borrowing FileDescriptor,
    _ trace: Trace
  ) throws -> IOChannel {
    IOChannel(
      kind: kind,
      fileDescriptor: descriptor.rawValue,
      engine: try engine(),
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
  }
}
