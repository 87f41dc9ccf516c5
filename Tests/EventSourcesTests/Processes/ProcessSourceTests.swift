import CIOChannelsTestSupport
import IOChannelsTestSupport
import Testing

@testable import EventSources

/// The status of a process that the signal 9 has ended.
private let killed = ProcessStatus.signaled(number: 9, coreDumped: false)

@Suite("Process sources")
struct ProcessSourceTests {
  private let trace = Trace()

  /// Creates a source that records its events and the status.
  private func source(
    of identifier: Int32,
    _ mask: EventSource.ProcessEvent = .exit
  ) throws -> ProcessSource {
    let source = try EventSource.makeProcessSource(
      identifier: identifier,
      eventMask: mask,
      queue: trace.queue
    )
    source.record(in: trace)
    source.setEventHandler { [unowned source, trace] in
      if source.data.contains(.fork) { trace.add(.process(.fork)) }
      if source.data.contains(.exec) { trace.add(.process(.exec)) }
      if source.data.contains(.exit) { trace.add(.process(.exit, status: source.status)) }
    }
    return source
  }

  /// Waits for some entries, cancels the source and returns all entries.
  private func entries(_ count: Int, cancelling source: ProcessSource) async throws -> [TraceEntry]
  {
    _ = try await trace.entries(count)
    let former = await trace.drained()
    source.cancel()
    return try await trace.entries(former.count + 1)
  }

  @Test("The end of a child is reported once, and the child stays with waitpid")
  func child() async throws {
    let child = try Observed(["sh", "-c", "exit 7"])
    let source = try source(of: child.identifier)
    #expect(source.handle == child.identifier)
    #expect(source.mask == .exit)
    source.activate()
    #expect(
      try await entries(2, cancelling: source) == [
        .registration, .process(.exit, status: .exited(code: 7)), .cancellation,
      ]
    )
    #expect(source.mask == [])
    #expect(source.data == [])
    #expect(source.status == .exited(code: 7))
    #expect(try child.wait().status == 7)
  }

  @Test("A child that lives has no status, and one that is killed has that of its signal")
  func killedChild() async throws {
    let child = try Observed()
    let source = try source(of: child.identifier)
    source.activate()
    _ = try await trace.entries(1)
    #expect(await trace.drained() == [.registration])
    #expect(source.status == nil)
    child.kill()
    #expect(
      try await entries(2, cancelling: source) == [
        .registration, .process(.exit, status: killed), .cancellation,
      ]
    )
    #expect(source.status?.waitStatus == 9)
    #expect(try child.wait().signal == 9)
  }

  @Test("The status of a child is known before the activation")
  func beforeActivation() async throws {
    let child = try Observed(["sh", "-c", "exit 3"])
    let source = try source(of: child.identifier)
    try await eventually("the child has ended") { source.status != nil }
    #expect(source.status == .exited(code: 3))
    #expect(await trace.drained() == [])
    source.activate()
    #expect(
      try await entries(2, cancelling: source) == [
        .registration, .process(.exit, status: .exited(code: 3)), .cancellation,
      ]
    )
  }

  @Test("Five sources of one process are called once each")
  func fiveSources() async throws {
    let child = try Observed()
    let traces = (0..<5).map { _ in Trace() }
    let sources = try traces.map { trace in
      let source = try EventSource.makeProcessSource(
        identifier: child.identifier,
        eventMask: .exit,
        queue: trace.queue
      )
      source.record(in: trace)
      source.setEventHandler { [unowned source] in trace.add(.process(.exit, status: source.status))
      }
      source.activate()
      return source
    }
    child.kill()
    for trace in traces {
      #expect(try await trace.entries(2) == [.registration, .process(.exit, status: killed)])
      #expect(await trace.drained() == [.registration, .process(.exit, status: killed)])
    }
    for source in sources { source.cancel() }
    for trace in traces { _ = try await trace.entries(3) }
  }

  @Test("A process that is gone already ends after the activation")
  func gone() async throws {
    // No process has a number as high as this one.
    let source = try source(of: .max, .exit)
    #expect(await trace.drained() == [])
    source.activate()
    #expect(
      try await entries(2, cancelling: source) == [.registration, .process(.exit), .cancellation]
    )
    #expect(source.status == nil)
  }

  @Test("A child that was waited for has ended and has no status")
  func waitedFor() async throws {
    let child = try Observed(["true"])
    _ = try child.wait()
    let source = try source(of: child.identifier)
    source.activate()
    #expect(
      try await entries(2, cancelling: source) == [.registration, .process(.exit), .cancellation]
    )
  }

  @Test("A child that is waited for while it is observed keeps its status", .needs(.statuses))
  func waitedForMeanwhile() async throws {
    let child = try Observed(["sh", "-c", "exit 5"])
    let source = try source(of: child.identifier)
    _ = try child.wait()
    try await knowsStatusOfOthers(source)
    source.activate()
    #expect(
      try await entries(2, cancelling: source) == [
        .registration, .process(.exit, status: .exited(code: 5)), .cancellation,
      ]
    )
  }

  @Test(
    "The end of a grandchild is reported, and its status once its parent has waited for it",
    .needs(.statuses)
  )
  func grandchild() async throws {
    let parent = try Observed(["sh", "-c", "sleep 1000 & echo $!; wait; sleep 1000"])
    try await eventually("the grandchild has started") { !parent.outputLines.isEmpty }
    let number = try #require(Int32(parent.outputLines[0]))
    let source = try source(of: number)
    source.activate()
    _ = try await trace.entries(1)
    _ = ct_signal(number, 9)
    _ = try await trace.reach { $0.count == 2 }
    try await knowsStatusOfOthers(source)
    #expect(source.status == .signaled(number: 9, coreDumped: false))
    #expect(await trace.drained().count == 2)
    source.cancel()
    _ = try await trace.entries(3)
  }

  /// Waits for a status that kernels before Linux 6.15 do not keep.
  private func knowsStatusOfOthers(_ source: ProcessSource) async throws {
    try await eventually("the kernel keeps the status") { source.status != nil }
  }

  @Test("A process ends with its last thread, not with its first")
  func firstThreadEndsFirst() async throws {
    let child = try Observed([BuiltProgram.observe.path, "endFirstThread"])
    let source = try source(of: child.identifier)
    source.activate()
    _ = try await trace.entries(1)
    try await eventually("the first thread has ended") {
      try runSuccessfully(["cat", "/proc/\(child.identifier)/stat"]).contains(") Z ")
    }
    #expect(await trace.drained() == [.registration])
    child.kill()
    #expect(
      try await entries(2, cancelling: source) == [
        .registration, .process(.exit, status: killed), .cancellation,
      ]
    )
  }

  @Test("A source that is dropped or cancelled reports no end")
  func ended() async throws {
    let child = try Observed()
    let source = try source(of: child.identifier)
    try self.source(of: child.identifier).activate()
    source.activate()
    _ = try await trace.reach { $0.contains(.registration) }
    source.cancel()
    try await trace.reach { $0.contains(.cancellation) }
    child.kill()
    _ = try child.wait()
    #expect(await trace.drained().filter { $0.processEvents.contains(.exit) } == [])
  }

  @Test("A sequence of events ends with the end of its process")
  func sequence() async throws {
    let child = try Observed(["true"])
    let events = try EventSource.makeProcessSource(identifier: child.identifier, eventMask: .exit)
      .events
    let task = Task { [trace] in
      for try await event in events { trace.add(.process(event)) }
      trace.add(.mark("end"))
    }
    #expect(try await trace.entries(2) == [.process(.exit), .mark("end")])
    try await task.value
  }

  @Test(
    "Signals are accepted in a mask, and never reported (S193)",
    arguments: [EventSource.ProcessEvent.signal, [.exit, .signal]]
  )
  func signals(mask: EventSource.ProcessEvent) async throws {
    let child = try Observed()
    let source = try source(of: child.identifier, mask)
    #expect(source.mask == mask)
    source.activate()
    _ = try await trace.entries(1)
    // SIGCONT, which does not end it.
    _ = ct_signal(child.identifier, 18)
    child.kill()
    _ = try child.wait()
    let end: [TraceEntry] = mask.contains(.exit) ? [.process(.exit, status: killed)] : []
    #expect(
      try await entries(1 + end.count, cancelling: source) == [.registration] + end + [
        .cancellation
      ]
    )
  }

  @Test("Numbers that are not positive and masks that are empty or unknown are refused")
  func arguments() {
    #expect(ProcessSource.accepts(identifier: 1, eventMask: .all))
    #expect(!ProcessSource.accepts(identifier: 0, eventMask: .exit))
    #expect(!ProcessSource.accepts(identifier: -1, eventMask: .exit))
    #expect(!ProcessSource.accepts(identifier: 1, eventMask: []))
    #expect(!ProcessSource.accepts(identifier: 1, eventMask: [.exit, .init(rawValue: 2)]))
  }
}
