import DataRegions
import QueueRuntime
import IOChannelsEngine
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

/// Waits for the ends of a few requests at a time.
private final class Burst: RequestOwner {
  private let pending = WorkGroup()
  private let endCount = Atomic<Int>(0)
  private let failureCount = Atomic<Int>(0)

  var counts: (ends: Int, failures: Int) {
    (endCount.load(ordering: .acquiring), failureCount.load(ordering: .acquiring))
  }

  func requestEnded(_ request: Request, with result: TransferResult) {
    let expected = request.kind == .read ? 1 : 0
    if result != .success(expected) { failureCount.add(1, ordering: .relaxed) }
    endCount.add(1, ordering: .releasing)
    pending.leave()
  }

  func submit(_ request: Request, to engine: Engine) {
    pending.enter()
    engine.submit(request)
  }

  /// Waits for the last answer.
  ///
  /// - Returns: Whether it came.
  func wait() -> Bool {
    pending.wait(timeout: .now() + .seconds(60)) == .success
  }
}

@Suite("Bursts of requests between sleeps of threads (I15)")
struct WakeUpTests {
  /// Submits bursts until `count` requests have ended or one does not.
  private func submitBursts(
    _ count: Int,
    _ generator: inout SeededGenerator,
    _ burst: Burst,
    _ make: (Int, Burst) throws -> Request,
    to engine: Engine
  ) throws {
    var submitted = 0
    while submitted < count {
      for _ in 0..<min(generator.number(in: 1..<9), count - submitted) {
        burst.submit(try make(generator.number(in: 0..<3), burst), to: engine)
        submitted += 1
      }
      guard burst.wait() else { return }
    }
  }

  private func thread(_ count: Int, seed: UInt64, path: String, _ engine: Engine) throws -> Burst {
    var generator = SeededGenerator(seed: seed)
    let burst = Burst()
    let file = try openFile(path)
    let event = try WakeupDescriptor()
    event.signal()
    let traits = try DescriptorTraits(of: file.borrowed)
    guard let buffer = BufferPool.shared.makeBuffer(atLeast: 1) else { throw SystemError.noMemory }
    func make(_ kind: Int, _ burst: Burst) -> Request {
      switch kind {
      case 0:
        Request(.timeout(.zero), descriptor: .workingDirectory, tag: 0, owner: burst)
      case 1:
        Request(.poll(.read), descriptor: event.borrowed, tag: 0, owner: burst)
      default:
        Request(
          .read(buffer, 0..<1),
          descriptor: file.borrowed,
          traits: traits,
          offset: 0,
          tag: 0,
          owner: burst
        )
      }
    }
    try submitBursts(count, &generator, burst, make, to: engine)
    return burst
  }

  /// A single thread finds the others asleep each time; several come while they fall asleep.
  @Test(
    "Work that arrives while a thread falls asleep wakes it",
    arguments: [Way.ring, .threads],
    [1, 4]
  )
  func workThatArrivesWhileAThreadFallsAsleepWakesIt(way: Way, submitters: Int) async throws {
    let engine = try way.engine()
    let directory = try TemporaryDirectory()
    let path = try directory.write([7], to: "file")
    let count =
      way == .ring
      ? Tier.count(quick: 50_000, full: 500_000) : Tier.count(quick: 10_000, full: 100_000)
    let seed = SeededGenerator().seed
    let ends = Mutex<[Result<Burst, any Error>]>([])
    let running = WorkGroup()
    for number in 0..<submitters {
      running.enter()
      try PlatformThread.start(name: "bursts-\(number)") {
        let end = Result {
          try thread(count / submitters, seed: seed &+ UInt64(number), path: path, engine)
        }
        ends.withLock { $0.append(end) }
        running.leave()
      }
    }
    await running.completion()
    for end in ends.withLock({ $0 }) {
      let counts = try end.get().counts
      #expect(counts.ends == count / submitters)
      #expect(counts.failures == 0)
    }
    way.expectCarried(count, by: engine)
    #expect(engine.shutDown(within: .seconds(30)).isClean)
  }
}
