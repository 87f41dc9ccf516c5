import CIOChannelsTestSupport
import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Signals that arrive while a source is registered")
struct SignalStartTests {
  private static let signal: Int32 = 10

  /// Returns a source whose first registration sends a signal, and then starts the thread of a list
  /// or fails.
  private static func sourceWithEarlySignal(
    threadStarts: Bool
  ) throws -> (source: EventSource, trace: Trace) {
    let list = ReadinessList(poll: try KernelReadinessPoll()) { name, body throws(SystemError) in
      #expect(ct_send(signal, 1) == 0)
      if !threadStarts { throw .resourceTemporarilyUnavailable }
      try PlatformThread.start(name: name, body: body)
    }
    let trace = Trace()
    let producer = SignalProducer(signal, watch: SignalWatch { list })
    let source = EventSource(
      core: SourceCore(target: trace.queue, merging: .sum, producer: producer)
    )
    source.record(in: trace)
    source.setEventHandler { trace.add(.call) }
    return (source, trace)
  }

  @Test("A signal that arrives while the thread of the sources starts is counted")
  func startingThread() async {
    await #expect(processExitsWith: .success) {
      let (source, trace) = try Self.sourceWithEarlySignal(threadStarts: true)
      source.activate()
      #expect(try await trace.entries(2) == [.registration, .call])
      source.cancel()
      #expect(try await trace.entries(3).last == .cancellation)
      #expect(ct_disposition(Self.signal) == Int32(CT_DEFAULT))
    }
  }

  @Test("A refused source leaves a signal that has arrived to the former handler")
  func refusedThread() async {
    await #expect(processExitsWith: .success) {
      #expect(ct_set_disposition(Self.signal, Int32(CT_INFORMED), 1, 0) == 0)
      let (source, trace) = try Self.sourceWithEarlySignal(threadStarts: false)
      source.activate()
      #expect(try await trace.entries(1) == [.registration])
      #expect(source.registrationError == .resourceTemporarilyUnavailable)
      #expect(ct_disposition(Self.signal) == Int32(CT_INFORMED))
      // Another thread may run the handler, some time later.
      try await reach { ct_handler_calls() == 1 }
      source.cancel()
      #expect(try await trace.entries(2).last == .cancellation)
    }
  }

  @Test("A refused source leaves a signal that has arrived to the default action")
  func refusedThreadAndDefaultAction() async {
    await #expect(processExitsWith: .signal(Self.signal)) {
      let (source, _) = try Self.sourceWithEarlySignal(threadStarts: false)
      source.activate()
      // Another thread may carry out the action, some time later.
      try await reach { false }
    }
  }
}
