import DataRegions
import QueueRuntime
import SystemCalls
import TestSupport
import Testing

@testable import RequestEngine

/// Waits that cannot be made: S121, I10.
@Suite struct ReadinessTests {
  @Test func aThreadThatDoesNotStartIsNoReasonToAskAgain() throws {
    let waiter = ReadinessWaiter(pool: .transfers) { (_, _) throws(Errno) in
      throw .resourceTemporarilyUnavailable
    }
    let ends = try PipeEnds()
    let request = Request(
      .poll(.read),
      descriptor: ends.reading.borrowed,
      tag: 0,
      owner: Answers()
    )
    let errors = BargingLock<[Errno]>([])
    waiter.wait(for: request) { outcome in
      if case .failed(let error) = outcome { errors.withLock { $0.append(error) } }
    }
    #expect(errors.withLock { $0 } == [.noMemory])
  }

  /// A file that ends where the write does refuses to be written past the cache without waiting,
  /// for as long as it is asked, and the kernel never waits for a file.
  @Test(.needs(.loop, .root)) func whatCannotBeAwaitedIsWrittenByAPlainCall() async throws {
    let image = try LoopImage(.ext4, megabytes: 32)
    let direct = OpenFlags(rawValue: 0o40000)
    let file = try openFile("\(image.path)/file", [.readWrite, .create, direct])
    let engine = Engine(setting: "threads")
    let asker = Asker(engine)
    let buffer = try #require(BufferPool.shared.makeBuffer(atLeast: 4096))
    var traits = DescriptorTraits.unknown
    traits.kind = .pollable
    let data = buffer.filled(0..<4096)
    let request = asker.submit(.write(data), of: file.borrowed, traits: traits)
    // Whoever asks again and again has to be stopped.
    let isOver = Deadline.now() + .seconds(10)
    while engine.counts.threadRequests == 0, Deadline.now() < isOver {}
    engine.cancel(request)
    #expect(await asker.answer(to: request) == .success(4096))
  }
}
