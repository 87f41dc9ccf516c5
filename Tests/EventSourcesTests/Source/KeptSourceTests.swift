import Testing

@testable import EventSources

@Suite("Sources of C programs")
struct KeptSourceTests {
  @Test("A source that is kept by its cancellation exists until its cancel handler has returned")
  func keptByCancellation() async throws {
    let trace = Trace()
    let core = cancelledSource(trace)
    #expect(try await trace.entries(1) == [.mark("there")])
    try await reach { core.core == nil }
  }

  /// Cancels a source and releases it.
  private func cancelledSource(_ trace: Trace) -> WeakCore {
    let source = DataSource(merging: .adding, queue: trace.queue)
    source.setCancelHandler { [weak source] in
      trace.add(.mark(source == nil ? "gone" : "there"))
    }
    source.activate()
    source.core.cancel(keeping: source)
    source.core.cancel(keeping: source)
    return WeakCore(source.core)
  }

  @Test("The context of events is that of the activation")
  func contextOfEvents() {
    let trace = Trace()
    let source = DataSource(merging: .adding, queue: trace.queue)
    let (first, second) = (CountingSemaphore(value: 0), CountingSemaphore(value: 0))
    #expect(!source.isActive)
    unsafe #expect(source.contextOfEvents == nil)
    unsafe source.context = unsafe Unmanaged.passUnretained(first).toOpaque()
    unsafe #expect(source.contextOfEvents == Unmanaged.passUnretained(first).toOpaque())
    source.activate()
    #expect(source.isActive)
    unsafe source.context = unsafe Unmanaged.passUnretained(second).toOpaque()
    unsafe #expect(source.contextOfEvents == Unmanaged.passUnretained(first).toOpaque())
    source.activate()
    unsafe #expect(source.contextOfEvents == Unmanaged.passUnretained(first).toOpaque())
    source.cancel()
  }

  @Test("A silent source has a registration and a cancellation, and no events")
  func silentSource() async throws {
    let trace = Trace()
    let source = SilentSource(handle: 9, queue: trace.queue)
    #expect(source.handle == 9)
    source.record(in: trace)
    source.setEventHandler { trace.add(.call) }
    source.activate()
    _ = try await trace.entries(1)
    source.cancel()
    #expect(try await trace.entries(2) == [.registration, .cancellation])
  }
}
