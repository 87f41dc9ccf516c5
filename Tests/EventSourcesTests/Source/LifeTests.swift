import Testing
import IOChannelsTestSupport

@testable import EventSources

@Suite("Life of a source")
struct LifeTests {
  private func source(_ trace: Trace, _ merging: DataSource.Merging = .adding) -> DataSource {
    let source = DataSource(merging: merging, queue: trace.queue)
    source.record(in: trace)
    source.setEventHandler { [unowned source] in trace.add(.event(source.data)) }
    return source
  }

  @Test("Data that are merged before the activation are delivered after it")
  func beforeActivation() async throws {
    let trace = Trace()
    let source = source(trace)
    source.add(data: 3)
    source.add(data: 4)
    source.activate()
    #expect(try await trace.entries(2) == [.registration, .event(7)])
    source.cancel()
    #expect(try await trace.entries(3) == [.registration, .event(7), .cancellation])
  }

  @Test("Nothing runs while a source is suspended, and one call follows")
  func suspension() async throws {
    let trace = Trace()
    let source = source(trace)
    source.add(data: 1)
    source.activate()
    _ = try await trace.entries(2)
    source.suspend()
    for data in 1...4 { source.add(data: UInt(data)) }
    #expect(await trace.drained() == [.registration, .event(1)])
    source.resume()
    #expect(try await trace.entries(3) == [.registration, .event(1), .event(10)])
    source.cancel()
    _ = try await trace.entries(4)
  }

  @Test("A source that feeds itself runs after what waits in its queue")
  func selfFeeding() async throws {
    let trace = Trace()
    let source = DataSource(merging: .adding, queue: trace.queue)
    source.setCancelHandler { trace.add(.cancellation) }
    source.setEventHandler { [unowned source] in
      let data = source.data
      trace.add(.event(data))
      if data == 1 {
        trace.queue.async { trace.add(.mark("x")) }
        trace.queue.async { trace.add(.mark("y")) }
      }
      if data < 30 { source.add(data: data == 1 ? 10 : data + 10) }
    }
    source.add(data: 1)
    source.activate()
    #expect(
      try await trace.entries(6) == [
        .event(1), .mark("x"), .mark("y"), .event(10), .event(20), .event(30),
      ]
    )
    source.cancel()
    _ = try await trace.entries(7)
  }

  @Test("A source that is cancelled before the activation runs its cancel handler alone")
  func cancelBeforeActivation() async throws {
    let trace = Trace()
    let source = source(trace)
    source.add(data: 1)
    source.cancel()
    #expect(source.isCancelled)
    #expect(await trace.drained() == [])
    trace.add(.mark("activate"))
    source.activate()
    #expect(try await trace.entries(2) == [.mark("activate"), .cancellation])
  }

  /// A producer that records its calls.
  private final class RecordingProducer: EventProducer {
    let trace: Trace

    init(_ trace: Trace) { self.trace = trace }

    func start(for core: SourceCore) {
      trace.add(.mark("start"))
      core.registered(nil)
    }

    func stop(for core: SourceCore) {
      trace.add(.mark("stop"))
      core.released()
    }
  }

  @Test("The producer of a source that is cancelled before the activation is stopped alone")
  func stopBeforeActivation() async throws {
    let trace = Trace()
    let producer = RecordingProducer(trace)
    let source = EventSource(
      core: SourceCore(target: trace.queue, merging: .sum, producer: producer)
    )
    source.record(in: trace)
    source.cancel()
    source.activate()
    #expect(try await trace.entries(2) == [.mark("stop"), .cancellation])
    source.cancel()
    source.activate()
    withExtendedLifetime(source) {}
    #expect(await trace.drained() == [.mark("stop"), .cancellation])
  }

  @Test("A source that is cancelled while suspended runs its cancel handler alone")
  func cancelWhileSuspended() async throws {
    let trace = Trace()
    let source = source(trace)
    source.activate()
    _ = try await trace.entries(1)
    source.suspend()
    source.add(data: 1)
    source.cancel()
    source.cancel()
    source.add(data: 5)
    #expect(await trace.drained() == [.registration])
    source.resume()
    #expect(try await trace.entries(2) == [.registration, .cancellation])
  }
}
