import CIOChannelsTestSupport
import Glibc
import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Sources and forks")
struct ForkTests {
  @Test("A child that ends its copy of a source leaves the parent's alone")
  func child() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let ends = ct_pipe()
      let trace = Trace()
      var source: ReadSource? = EventSource.makeReadSource(
        fileDescriptor: ends.reading,
        queue: trace.queue
      )
      source?.record(in: trace)
      source?.setEventHandler { trace.add(.call) }
      source?.activate()
      _ = try await trace.entries(1)
      let child = ct_fork()
      if child == 0 {
        source?.cancel()
        source = nil
        _exit(0)
      }
      #expect(Self.status(of: child) == 0)
      _ = try BorrowedDescriptor(rawValue: ends.writing).write([1], 0..<1)
      _ = try await trace.entries(2)
      source?.cancel()
      try await trace.reach { $0.last == .cancellation }
    }
    expectNoMessage(from: result)
  }

  @Test("A child that activates a source of its parent stops with the rule")
  func activation() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let source = EventSource.makeTimerSource()
      let child = ct_fork()
      if child == 0 {
        source.activate()
        _exit(0)
      }
      #expect(Self.status(of: child) != 0)
      source.activate()
    }
    expectMessage("S109", from: result)
  }

  /// Waits for a child; returns its exit status, or the negative number of the signal that ended
  /// it.
  private static func status(of child: Int32) -> Int32 {
    let end = ct_wait(child, 20_000)
    return end.signal == 0 ? end.exit_status : -end.signal
  }
}
