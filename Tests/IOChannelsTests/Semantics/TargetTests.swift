import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@Suite("Targets of channels (S139, S140)")
struct TargetTests {
  @Test("Barriers run on the target", arguments: TestBackend.allCases)
  func barriersRunOnTheTarget(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    channel.barrier { trace.add(.mark(WorkQueue.currentLabel)) }
    channel.setTarget(queue: WorkQueue(label: "target"))
    channel.barrier { trace.add(.mark(WorkQueue.currentLabel)) }
    channel.read(offset: 0, length: 0, queue: trace.queue) { _, _, _ in
      trace.add(.mark(WorkQueue.currentLabel))
    }
    channel.setTarget(queue: nil)
    channel.barrier { trace.add(.mark(WorkQueue.currentLabel)) }
    let global = WorkQueue.global().label
    #expect(
      await trace.entries(4).counts == [.mark(global): 2, .mark("target"): 1, .mark("trace"): 1]
    )
    channel.close()
    #expect(await trace.entries(5).last == .cleanup)
  }

  @Test("A target may keep the last reference to a channel", .timeLimit(.minutes(10)))
  func aTargetMayKeepTheLastReferenceToAChannel() async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try TestBackend.threads.channel(.stream, ends.reading, trace)
    do {
      let target = WorkQueue(label: "target")
      let other = try TestBackend.threads.channel(.stream, ends.reading, trace)
      target.setSpecific(key: QueueKey<IOChannel>(), value: other)
      channel.setTarget(queue: target)
    }
    channel.setTarget(queue: nil)
    channel.close()
    #expect(await trace.entries(2) == [.cleanup, .cleanup])
    _ = ends.reading.rawValue
  }

  @Test("A suspension of a channel has no effect (S140, S221)")
  func suspendingAChannelDoesNothing() async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    do {
      let channel = try TestBackend.threads.channel(.stream, ends.reading, trace)
      let object: any SuspendableObject = channel
      object.suspend()
      object.suspend()
      object.activate()
      channel.read(offset: 0, length: 2, queue: trace.queue, ioHandler: trace.handler())
      #expect(try ends.writing.borrowed.write(pattern(2), 0..<2) == 2)
      await trace.reach(1)
      for _ in 0..<3 { object.resume() }
      object.suspend()
    }
    #expect(await trace.entries(2) == [.delivery(done: true, bytes: 2), .cleanup])
  }

  @Test("A description has the kind and the state of a channel")
  func aDescriptionTellsWhatAChannelIsAndDoes() async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try TestBackend.threads.channel(.stream, ends.reading, trace)
    channel.setLimit(highWater: 4096)
    channel.setInterval(interval: .seconds(100), flags: .strictInterval)
    channel.read(offset: 0, length: 2, queue: trace.queue, ioHandler: trace.handler())
    let number = ends.reading.rawValue
    for part in ["stream", "descriptor \(number)", "high water 4096", "every", "1 of 1 operations"]
    {
      #expect(channel.debugDescription.contains(part), "\(channel.debugDescription)")
    }
    channel.close(flags: .stop)
    await trace.reach(2)
    #expect(channel.debugDescription.contains("stopped, over"))
    let failed = try TestBackend.threads.channel(.random, ends.reading, trace)
    await trace.reach(3)
    #expect(failed.debugDescription.contains("failed: "))
  }
}
