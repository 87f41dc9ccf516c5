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

  /// The tag of a request is the expected number of bytes.
  func requestEnded(_ request: Request, with result: TransferResult) {
    if result != .success(request.tag) { failureCount.add(1, ordering: .relaxed) }
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
  /// Submits bursts of three kinds of requests until `count` have ended or one does not.
  private func submitBursts(
    _ count: Int,
    _ generator: inout SeededGenerator,
    _ burst: Burst,
    _ submit: (Int) throws -> Void
  ) throws {
    var submitted = 0
    while submitted < count {
      for _ in 0..<min(generator.number(in: 1..<9), count - submitted) {
        try submit(generator.number(in: 0..<3))
        submitted += 1
      }
      guard burst.wait() else { return }
    }
  }

  private func thread(_ count: Int, seed: UInt64, path: String, _ engine: Engine) throws -> Burst {
    var generator = SeededGenerator(seed: seed)
    let burst = Burst()
    let file = try openFile(path)
    let fileTraits = try DescriptorTraits(of: file.borrowed)
    let pipe = try PipeEnds()
    let pipeTraits = try DescriptorTraits(of: pipe.reading.borrowed)
    let ended = try PipeEnds().closeWriting()
    guard let buffer = BufferPool.shared.makeBuffer(atLeast: 1) else { throw SystemError.noMemory }
    /// Submits a read of a byte of a file, of a pipe that gets it afterwards, or of an ended pipe.
    func submit(_ kind: Int) throws {
      let descriptor = [file.borrowed, pipe.reading.borrowed, ended.borrowed][kind]
      burst.submit(
        Request(
          .read(buffer, 0..<1),
          descriptor: descriptor,
          traits: kind == 0 ? fileTraits : pipeTraits,
          offset: kind == 0 ? 0 : nil,
          tag: kind == 2 ? 0 : 1,
          owner: burst
        ),
        to: engine
      )
      if kind == 1 { _ = try pipe.writing.borrowed.write([7], 0..<1) }
    }
    try submitBursts(count, &generator, burst, submit)
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
    try await running.completion()
    for end in ends.withLock({ $0 }) {
      let counts = try end.get().counts
      #expect(counts.ends == count / submitters)
      #expect(counts.failures == 0)
    }
    way.expectCarried(count, by: engine)
    #expect(engine.becomesIdle())
  }
}
