import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport

extension IOChannel {
  /// Whether two channels have one order of operations.
  func shares(with other: IOChannel) -> Bool { sharedState === other.sharedState }
}

/// The backends that every test of channel semantics runs on.
enum TestBackend: String, CaseIterable, Sendable {
  case ring
  case threads
  /// Real transfers in the order and in the pieces that a seed decides.
  case simulator

  /// Those that users have, for tests of whole programs.
  static let real: [TestBackend] = [.ring, .threads]

  /// One engine of each kind for the whole run: its threads live as long as the process.
  private static let ringEngine = Engine(setting: "uring")
  private static let threadEngine = Engine(setting: "threads")
  private static let simulatedEngine = unsteadyEngine()
  private static let wholeEngine = unsteadyEngine(cutsTransfers: false)

  /// Unless a test asks for them no reads are made at once, which would pass it over.
  private static func unsteadyEngine(
    cutsTransfers: Bool = true,
    readsAtOnce: Bool = false,
    budget: MemoryBudget = .shared,
    timers: @escaping IntervalTimers = TimerService.intervals
  ) -> Engine {
    let seed = SeededGenerator(for: "backend").seed
    return Engine(
      simulatedBy: UnsteadyBackend(seed: seed, cutsTransfers: cutsTransfers),
      queue: .global(),
      sizes: readsAtOnce ? TransferSizes() : TransferSizes(atOnce: 0, peerAtOnce: 0),
      budget: budget,
      timers: timers
    )
  }

  /// The engine, or a skip where the machine has no ring.
  ///
  /// With `wholeTransfers` the simulator moves files as a kernel usually does, for tests in which
  /// the sizes of transfers show.
  func engine(wholeTransfers: Bool = false) throws -> Engine {
    switch self {
    case .threads:
      return TestBackend.threadEngine
    case .simulator:
      return wholeTransfers ? TestBackend.wholeEngine : TestBackend.simulatedEngine
    case .ring:
      try Need.ring.orSkip()
      guard TestBackend.ringEngine.choice.usesRing else {
        throw TestFailure("the ring was not chosen: \(TestBackend.ringEngine.choice.reason)")
      }
      return TestBackend.ringEngine
    }
  }

  /// An engine of its own for a test, or a skip where the machine has no ring.
  ///
  /// Reads are made at once where users have it so, and on the simulator if asked for.
  func makeEngine(
    budget: MemoryBudget = .shared,
    readsAtOnce: Bool? = nil,
    timers: @escaping IntervalTimers = TimerService.intervals
  ) throws -> Engine {
    if self == .ring { try Need.ring.orSkip() }
    guard self == .simulator else {
      let sizes = readsAtOnce ?? true ? TransferSizes() : TransferSizes(atOnce: 0, peerAtOnce: 0)
      return Engine(setting: setting, budget: budget, sizes: sizes, timers: timers)
    }
    let readsAtOnce = readsAtOnce ?? false
    return TestBackend.unsteadyEngine(readsAtOnce: readsAtOnce, budget: budget, timers: timers)
  }

  /// The value of the setting that chooses one of those that users have.
  var setting: String { self == .ring ? "uring" : "threads" }

  /// A channel whose requests this backend carries, with its cleanup in the trace.
  func channel(
    _ kind: IOChannel.StreamType,
    _ descriptor: borrowing OwnedDescriptor,
    _ trace: Trace,
    wholeTransfers: Bool = false
  ) throws -> IOChannel {
    IOChannel(
      type: kind,
      fileDescriptor: descriptor.rawValue,
      engine: try engine(wholeTransfers: wholeTransfers),
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
  }
}
