import DataRegions
import QueueRuntime
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("A kernel that refuses requests for a time (S120)")
struct RefusalTests {
  /// Refuses from its first question on for some time.
  private final class Refusal: Sendable {
    let first = Atomic<Int64>(0)
    let count = Atomic<Int>(0)
    let time: Duration

    init(_ time: Duration) {
      self.time = time
    }

    func ask() -> SystemError? {
      let now = KernelClock.uptime.nanoseconds
      _ = first.compareExchange(expected: 0, desired: now, ordering: .relaxed)
      guard now < first.load(ordering: .relaxed) + time.wholeNanoseconds else { return nil }
      count.add(1, ordering: .relaxed)
      return .resourceTemporarilyUnavailable
    }
  }

  @Test("A ring outlasts refusals", .needs(.ring)) func aRingOutlastsRefusals() async throws {
    let statistics = Statistics()
    let threads = ThreadBackend(pool: .transfers, statistics: statistics)
    let refusal = Refusal(.milliseconds(100))
    let ring = try RingBackend(threads: threads, statistics: statistics) { refusal.ask() }
    let answers = Answers()
    let file = try openFile("/dev/null")
    let buffer = try #require(BufferPool.shared.makeBuffer(atLeast: 1))
    let traits = DescriptorTraits(kind: .seekable, fileSystem: .ext4)
    ring.submit(
      Request(
        .read(buffer, 0..<1),
        descriptor: file.borrowed,
        traits: traits,
        tag: 0,
        owner: answers
      )
    )
    #expect(await answers.results(1)[0] == .success(0))
    #expect(statistics.counts.ringRequests == 1, "the ring was not given up")
    #expect((1...12).contains(refusal.count.load(ordering: .relaxed)), "it pauses")
    ring.stop()
  }

  @Test("Pauses grow and end")
  func pausesGrowAndEnd() {
    var pauses = RefusalPauses()
    var sum = Duration.zero
    var count = 0
    while let pause = pauses.next() {
      sum += pause
      count += 1
    }
    #expect(count == RefusalPauses.limit)
    #expect(sum > .seconds(5) && sum < .seconds(10))
    pauses.end()
    #expect(pauses.next() == .milliseconds(1))
  }
}
