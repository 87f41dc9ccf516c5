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
    source.setEventHandler { trace.add("e") }
    source.activate()
    _ = try await trace.entries(1)
    let held = try HeldThread()
    #expect(ct_send(signal, 1) == 0)
    source.cancel()
    held.release()
    #expect(try await trace.entries(2) == ["reg", "cancel"])
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
