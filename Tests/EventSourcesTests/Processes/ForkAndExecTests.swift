import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Forks and execs of processes")
struct ForkAndExecTests {
  /// A child that forks until a file exists, and then starts another program.
  private func forkingChild(_ file: String) throws -> Observed {
    try Observed(["sh", "-c", "while [ ! -e \"$0\" ]; do sleep 0.01; done; exec true", file])
  }

  private func record(
    _ child: Observed,
    _ mask: EventSource.ProcessEvent,
    in trace: Trace
  ) throws -> ProcessSource {
    let source = try EventSource.makeProcessSource(
      identifier: child.identifier,
      eventMask: mask,
      queue: trace.queue
    )
    source.record(in: trace)
    source.setEventHandler { [unowned source] in
      if source.data.contains(.fork) { trace.add(.process(.fork)) }
      if source.data.contains(.exec) { trace.add(.process(.exec)) }
      if source.data.contains(.exit) { trace.add(.process(.exit)) }
    }
    source.activate()
    return source
  }

  @Test("Forks, the exec and the end of a child are reported in this order", .needs(.connector))
  func all() async throws {
    let directory = try TemporaryDirectory()
    let child = try forkingChild("\(directory.path)/end")
    let trace = Trace()
    // The signals among them have no effect (S193).
    let source = try record(child, [.fork, .exec, .exit, .signal], in: trace)
    try await trace.reach { $0.count(where: { $0 == .process(.fork) }) >= 2 }
    #expect(!trace.entries.contains(.process(.exec)))
    try runSuccessfully(["touch", "\(directory.path)/end"])
    try await trace.reach { $0.contains(.process(.exit)) }
    source.cancel()
    try await trace.reach { $0.contains(.cancellation) }
    #expect(Array(trace.entries.suffix(3)) == [.process(.exec), .process(.exit), .cancellation])
    #expect(trace.entries.first == .registration)
    #expect(trace.entries.dropFirst().dropLast(3).allSatisfy { $0 == .process(.fork) })
  }

  @Test("Sources of one process and of several get the events of their masks", .needs(.connector))
  func masks() async throws {
    let directory = try TemporaryDirectory()
    let child = try forkingChild("\(directory.path)/end")
    let quiet = try Observed()
    let traces = (0..<3).map { _ in Trace() }
    let sources = [
      try record(child, .exec, in: traces[0]),
      try record(child, .fork, in: traces[1]),
      try record(quiet, [.fork, .exec], in: traces[2]),
    ]
    try await traces[1].reach { $0.contains(.process(.fork)) }
    try runSuccessfully(["touch", "\(directory.path)/end"])
    #expect(try await traces[0].entries(2) == [.registration, .process(.exec)])
    _ = try child.wait()
    for trace in traces { _ = await trace.drained() }
    for source in sources { source.cancel() }
    for trace in traces { try await trace.reach { $0.last == .cancellation } }
    #expect(traces[0].entries == [.registration, .process(.exec), .cancellation])
    #expect(traces[1].entries.dropFirst().dropLast().allSatisfy { $0 == .process(.fork) })
    #expect(traces[2].entries == [.registration, .cancellation])
  }

  @Test(
    "A sequence of forks or execs ends with the process",
    .needs(.connector),
    arguments: [EventSource.ProcessEvent.fork, .exec],
    [false, true]
  )
  func endOfSequence(mask: EventSource.ProcessEvent, isGone: Bool) async throws {
    let child = try Observed()
    if isGone {
      child.kill()
      _ = try child.wait()
    }
    let source = try EventSource.makeProcessSource(identifier: child.identifier, eventMask: mask)
    let trace = Trace()
    source.setRegistrationHandler { trace.add(.registration) }
    Task {
      // The exec of the new child may be among the events.
      for try await event in source.events where event != mask { trace.add(.process(event)) }
      trace.add(.mark("end"))
    }
    _ = try await trace.entries(1)
    if !isGone { child.kill() }
    #expect(try await trace.entries(2) == [.registration, .mark("end")])
    source.cancel()
  }

  @Test("Events before the end of a process are reported with it", .needs(.connector))
  func eventsBeforeTheEnd() async {
    // The thread of all sources of a process is held meanwhile.
    await #expect(processExitsWith: .success) {
      try await ForkAndExecTests().reportEventsBeforeTheEnd()
    }
  }

  private func reportEventsBeforeTheEnd() async throws {
    let directory = try TemporaryDirectory()
    let child = try Observed([
      "sh", "-c",
      """
      while [ ! -e "$0" ]; do sleep 0.01; done
      for i in $(seq 100); do true | true; done
      exec true
      """,
      "\(directory.path)/end",
    ])
    let trace = Trace()
    let source = try record(child, [.exec, .exit], in: trace)
    _ = try await trace.entries(1)
    // More messages than one batch wait when the thread learns of the end.
    let stop = try HeldThread()
    try runSuccessfully(["touch", "\(directory.path)/end"])
    try await eventually("the child has ended") { source.status != nil }
    stop.release()
    #expect(try await trace.entries(3) == [.registration, .process(.exec), .process(.exit)])
    source.cancel()
    _ = try await trace.entries(4)
  }

  @Test(
    "Events beyond the size of the buffer are lost, and later ones are reported",
    .needs(.connector)
  )
  func lostEvents() async throws {
    let child = try Observed([
      "sh", "-c",
      "for i in $(seq 500); do true | true; done; echo done; while sleep 0.01; do :; done",
    ])
    // No thread waits for this connector: the test receives the messages.
    let connector = try ProcessConnector(list: try SharedReadinessList.get(), room: 1)
    let trace = Trace()
    let events = DataSource(merging: .adding, queue: trace.queue)
    events.setEventHandler { [unowned events] in
      for _ in 0..<(events.data / EventSource.ProcessEvent.fork.rawValue) {
        trace.add(.process(.fork))
      }
    }
    events.activate()
    let route = try connector.add(events.core, of: child.identifier, for: .fork)
    try await eventually("the child has forked") { child.outputLines == ["done"] }
    // Messages about other processes may have filled the buffer before the filter was set.
    try await eventually("forks are reported") {
      connector.receiveAll()
      return !trace.entries.isEmpty
    }
    let received = await trace.drained().count
    #expect(received < 500)
    try await eventually("later forks are reported") {
      connector.receiveAll()
      return trace.entries.count > received + 3
    }
    connector.remove(route)
    connector.close()
    events.cancel()
  }

  @Test("A source whose filter the kernel refuses has an error", .needs(.connector))
  func refusedFilter() throws {
    // The kernel refuses an empty program.
    let list = try SharedReadinessList.get()
    let connector = try ProcessConnector(list: list, filter: { _ in [] })
    let events = DataSource(merging: .adding)
    #expect(throws: SystemError.invalidArgument) {
      _ = try connector.add(events.core, of: 1, for: .fork)
    }
    connector.close()
    events.activate()
    events.cancel()
  }

  @Test("Another network refuses sources of forks", .needs(.root, .connector))
  func network() throws {
    let output = try runSuccessfully(["unshare", "-n", BuiltProgram.observe.path, "fork"])
    let connectionRefused = 111
    #expect(output == "error \(connectionRefused)\n")
  }

  @Test("Another namespace of processes refuses sources of forks", .needs(.root, .connector))
  func namespace() throws {
    let command = ["unshare", "-p", "--fork", BuiltProgram.observe.path, "fork"]
    #expect(try runSuccessfully(command) == "error \(SystemError.notSupported.rawValue)\n")
  }
}
