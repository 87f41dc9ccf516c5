import IOChannelsLocks
import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Requests of a descriptor's source to the kernel's list")
struct DescriptorProducerTests {
  /// Creates the producer of a read source, on a list that has no thread.
  private func producer(_ pipe: borrowing PipeEnds, _ poll: ManualPoll) -> DescriptorProducer {
    let list = ReadinessList(poll: poll) { (_, _) throws(SystemError) in }
    return DescriptorProducer(
      pipe.reading.borrowed,
      .read,
      list: { () throws(SystemError) in list }
    )
  }

  @Test("The kernel is asked for the next event after the handler has returned (S187)")
  func requestFollowsHandler() async throws {
    let pipe = try PipeEnds()
    let request = PollCall.rearm(pipe.reading.rawValue)
    let poll = ManualPoll()
    let producer = producer(pipe, poll)
    let trace = Trace()
    let source = EventSource(
      core: SourceCore(target: trace.queue, merging: .latest, producer: producer)
    )
    source.record(in: trace)
    source.setEventHandler {
      trace.add(.number("requests", poll.calls.count(where: { $0 == request })))
    }
    source.activate()
    _ = try pipe.writing.borrowed.write([7], 0..<1)
    for call in 1...2 {
      producer.ready(.readable)
      #expect(try await trace.entries(call + 1).last == .number("requests", call - 1))
      try await reach { poll.calls.count(where: { $0 == request }) == call }
    }
    source.cancel()
    #expect(try await trace.entries(4).last == .cancellation)
    withExtendedLifetime(pipe) {}
  }

  @Test("The cancel handler waits until the kernel has released the descriptor (S181)")
  func cancelHandlerFollowsRelease() async throws {
    let (arrival, end) = (CountingSemaphore(value: 0), CountingSemaphore(value: 0))
    let poll = ManualPoll {
      arrival.signal()
      _ = end.wait(timeout: .now() + .seconds(60))
    }
    let pipe = try PipeEnds()
    let trace = Trace()
    let source = EventSource(
      core: SourceCore(target: trace.queue, merging: .latest, producer: producer(pipe, poll))
    )
    source.record(in: trace)
    source.activate()
    _ = try await trace.entries(1)
    WorkQueue(label: "cancelling").async { source.cancel() }
    try await reach { arrival.wait(timeout: .now()) == .success }
    #expect(await trace.drained() == [.registration])
    end.signal()
    #expect(try await trace.entries(2) == [.registration, .cancellation])
    withExtendedLifetime(pipe) {}
  }
}
