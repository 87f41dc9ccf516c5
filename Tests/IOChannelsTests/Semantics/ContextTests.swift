import IOChannels
import IOChannelsTestSupport
import Testing

/// The contexts and labels of queues with which the finalizer ran.
private let finalized = Trace()

@Suite("Contexts of channels")
struct ContextTests {
  @Test("The finalizer runs once on the target")
  func theFinalizerRunsOnceOnTheTarget() async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    do {
      let channel = try TestBackend.threads.channel(.stream, ends.reading, trace)
      channel.setTarget(queue: WorkQueue(label: "target"))
      #expect(unsafe channel.context == nil)
      unsafe channel.context = UnsafeMutableRawPointer(bitPattern: 0x5EED)
      unsafe channel.setFinalizer { context in
        finalized.add(.number(WorkQueue.currentLabel, Int(bitPattern: context)))
      }
      #expect(unsafe channel.context == UnsafeMutableRawPointer(bitPattern: 0x5EED))
      channel.read(offset: 0, length: 2, queue: trace.queue, ioHandler: trace.handler())
    }
    // The operation keeps what is behind the channel.
    #expect(finalized.entries.isEmpty)
    #expect(try ends.writing.borrowed.write(pattern(2), 0..<2) == 2)
    #expect(await trace.entries(2) == [.delivery(done: true, bytes: 2), .cleanup])
    #expect(await finalized.entries(1) == [.number("target", 0x5EED)])
  }
}
