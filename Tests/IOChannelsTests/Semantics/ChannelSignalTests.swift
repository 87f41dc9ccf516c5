import DataRegions
import Foundation
import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@Suite("Channels without SIGPIPE (S37, S165)")
struct ChannelSignalTests {
  /// Writes to lost readers on queues and pools, as small pieces that are written at once, and as
  /// large ones.
  private static func writeToLostReaders(_ backend: TestBackend) async throws {
    signal(SIGPIPE, SIG_DFL)
    let engine = Engine(setting: backend.setting)
    for isSocket in [false, true] {
      for count in [10, 300_000] {
        let ends = isSocket ? try PipeEnds(socketsWithMessages: false) : try PipeEnds()
        let writing = ends.loseReader()
        let trace = Trace()
        let channel = IOChannel(
          type: .stream,
          fileDescriptor: writing.rawValue,
          engine: engine,
          queue: trace.queue,
          cleanupHandler: trace.cleanup()
        )
        let data = DataBuffer(pattern(count))
        channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
        #expect(await trace.entries(1) == [.delivery(done: true, bytes: count, error: .brokenPipe)])
        // Now on a worker, which has the signal unblocked.
        WorkQueue.global().async {
          channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
        }
        #expect(
          await trace.entries(2).last == .delivery(done: true, bytes: count, error: .brokenPipe)
        )
        await #expect(throws: IOChannelError.self) { try await channel.write(data) }
        channel.close()
        #expect(await trace.entries(3).last == .cleanup)
      }
    }
  }

  @Test("On a ring a lost reader ends no program (S165)")
  func aRingRaisesNoSignal() async throws {
    try Need.ring.orSkip()
    await #expect(processExitsWith: .success) {
      try await ChannelSignalTests.writeToLostReaders(.ring)
    }
  }

  @Test("On threads a lost reader ends no program (S165)")
  func threadsRaiseNoSignal() async {
    await #expect(processExitsWith: .success) {
      try await ChannelSignalTests.writeToLostReaders(.threads)
    }
  }
}
