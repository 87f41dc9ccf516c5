import Testing
import IOChannelsTestSupport

@testable import EventSources

@Suite("Life of a source")
struct LifeTests {
  private func source(_ trace: Trace, _ merging: DataSource.Merging = .adding) -> DataSource {
    let source = DataSource(merging: merging, queue: trace.queue)
    source.record(in: trace)
    source.setEventHandler { [unowned source] in trace.add("e\(source.data)") }
    return source
  }

  @Test("Data that are merged before the activation are delivered after it")
  func beforeActivation() async throws {
    let trace = Trace()
    let source = source(trace)
    source.add(data: 3)
    source.add(data: 4)
    source.activate()
    #expect(try await trace.entries(2) == ["reg", "e7"])
    source.cancel()
    #expect(try await trace.entries(3) == ["reg", "e7", "cancel"])
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
    #expect(await trace.drained() == ["reg", "e1"])
    source.resume()
    #expect(try await trace.entries(3) == ["reg", "e1", "e10"])
    source.cancel()
    _ = try await trace.entries(4)
  }

  @Test("A source that feeds itself runs after what waits in its queue")
  func selfFeeding() async throws {
    let trace = Trace()
    let source = DataSource(merging: .adding, queue: trace.queue)
    source.setCancelHandler { trace.add("cancel") }
    source.setEventHandler { [unowned source] in
      let data = source.data
      trace.add("e\(data)")
      if data == 1 {
        trace.queue.async { trace.add("x") }
        trace.queue.async { trace.add("y") }
      }
      if data < 30 { source.add(data: data == 1 ? 10 : data + 10) }
    }
    source.add(data: 1)
    source.activate()
    #expect(try await trace.entries(6) == ["e1", "x", "y", "e10", "e20", "e30"])
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
    trace.add("activate")
    source.activate()
    #expect(try await trace.entries(2) == ["activate", "cancel"])
  }

  /// A producer that records its calls.
  private final class RecordingProducer: EventProducer {
    let trace: Trace

    init(_ trace: Trace) { self.trace = trace }

    func start(for core: SourceCore) {
      trace.add("start")
      core.registered(nil)
    }

    func stop(for core: SourceCore) {
      trace.add("stop")
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
    #expect(try await trace.entries(2) == ["stop", "cancel"])
    source.cancel()
    source.activate()
    withExtendedLifetime(source) {}
    #expect(await trace.drained() == ["stop", "cancel"])
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
    #expect(await trace.drained() == ["reg"])
    source.resume()
    #expect(try await trace.entries(2) == ["reg", "cancel"])
  }
}
