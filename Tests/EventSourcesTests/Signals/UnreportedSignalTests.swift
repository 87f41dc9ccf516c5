import CIOChannelsTestSupport
import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Signals that no source has received at its end")
struct UnreportedSignalTests {
  private static let signal: Int32 = 10

  /// Cancels a source after the handler has counted a signal that no thread reports.
  private static func cancelWithUnreportedSignal() async throws {
    let trace = Trace()
    let source = EventSource.makeSignalSource(signal: signal, queue: trace.queue)
    source.record(in: trace)
    source.setEventHandler { trace.add(.call) }
    source.activate()
    _ = try await trace.entries(1)
    let held = try HeldThread()
    #expect(ct_send(signal, 1) == 0)
    source.cancel()
    held.release()
    #expect(try await trace.entries(2) == [.registration, .cancellation])
  }

  /// A producer of a signal's events whose end waits for the test.
  private final class SlowProducer: EventProducer {
    let arrival = CountingSemaphore(value: 0)
    let end = CountingSemaphore(value: 0)

    func start(for core: SourceCore) {
      try? SignalWatch.shared.add(core, for: UnreportedSignalTests.signal)
      core.registered(nil)
    }

    func stop(for core: SourceCore) {
      arrival.signal()
      _ = end.wait(timeout: .now() + .seconds(60))
      SignalWatch.shared.remove(core, for: UnreportedSignalTests.signal)
      core.released()
    }
  }

  @Test("A signal is reported while its last source ends", arguments: [false, true])
  func endingSource(isDropped: Bool) async {
    await #expect(processExitsWith: .signal(Self.signal)) { [isDropped] in
      let producer = SlowProducer()
      WorkQueue(label: "ending").async {
        let core = SourceCore(target: nil, merging: .sum, producer: producer)
        let source = EventSource(core: core)
        source.activate()
        if !isDropped { source.cancel() }
      }
      try await reach { producer.arrival.wait(timeout: .now()) == .success }
      #expect(ct_send(Self.signal, 1) == 0)
      // Another thread runs the handler. The thread of the sources then takes its event before
      // one of these, so that the signal is reported while the source ends.
      var passes = 20
      try await reach {
        try HeldThread().release()
        passes -= 1
        return passes == 0
      }
      producer.end.signal()
      // Another thread may carry out the action, some time later.
      try await reach { false }
    }
  }

  @Test("The default action is carried out")
  func defaultAction() async {
    await #expect(processExitsWith: .signal(Self.signal)) {
      try await Self.cancelWithUnreportedSignal()
      // Another thread may carry out the action, some time later.
      try await reach { false }
    }
  }

  @Test("An ignored signal stays ignored")
  func ignored() async {
    await #expect(processExitsWith: .success) {
      #expect(ct_set_disposition(Self.signal, Int32(CT_IGNORED), 1, 0) == 0)
      try await Self.cancelWithUnreportedSignal()
      #expect(ct_disposition(Self.signal) == Int32(CT_IGNORED))
    }
  }

  @Test("A handler of the program runs once")
  func handler() async {
    await #expect(processExitsWith: .success) {
      #expect(ct_set_disposition(Self.signal, Int32(CT_PLAIN), 1, 0) == 0)
      try await Self.cancelWithUnreportedSignal()
      // Another thread may run the handler, some time later.
      try await reach { ct_handler_calls() == 1 }
    }
  }
}
