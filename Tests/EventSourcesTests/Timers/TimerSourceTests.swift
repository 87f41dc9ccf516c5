import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Timer sources")
struct TimerSourceTests {
  private func source(_ trace: Trace) -> TimerSource {
    let source = EventSource.makeTimerSource(queue: trace.queue)
    source.setEventHandler { [unowned source] in trace.add(.event(source.data)) }
    source.setCancelHandler { trace.add(.cancellation) }
    return source
  }

  private func end(_ source: TimerSource, _ trace: Trace) async throws {
    source.cancel()
    try await trace.reach { $0.last == .cancellation }
  }

  @Test("A timer without an interval fires once, not before its time")
  func once() async throws {
    let trace = Trace()
    let source = source(trace)
    let start = Deadline.now()
    source.schedule(deadline: start + .milliseconds(30))
    source.activate()
    #expect(try await trace.entries(1) == [.event(1)])
    #expect(start.distance(to: .now()) >= .milliseconds(30))
    try await end(source, trace)
    #expect(trace.entries == [.event(1), .cancellation])
  }

  @Test("Fires that come while the handler runs are one call")
  func slowHandler() async throws {
    let trace = Trace()
    let source = EventSource.makeTimerSource(queue: trace.queue)
    let start = Deadline.now()
    source.setEventHandler { [unowned source] in
      trace.add(.event(source.data))
      // Longer than three intervals, on the clock that the timer follows.
      while Deadline.now() < start + .milliseconds(35 * trace.entries.count) {}
    }
    source.setCancelHandler { trace.add(.cancellation) }
    source.schedule(deadline: start, repeating: .milliseconds(10))
    source.activate()
    let counts = try await trace.entries(4).prefix(4).compactMap(\.data).map { Int($0) }
    let elapsed = start.distance(to: .now())
    try await end(source, trace)
    // The fourth call begins 105 ms after the start or later, and counts the times until then.
    #expect(counts.reduce(0, +) >= 11, "\(counts)")
    #expect(counts.reduce(0, +) <= Int(elapsed / .milliseconds(10)) + 1, "\(counts)")
  }

  @Test("Fires while the source is suspended are one call with their number")
  func suspended() async throws {
    let trace = Trace()
    let source = source(trace)
    let start = Deadline.now()
    source.schedule(deadline: start, repeating: .milliseconds(5))
    source.suspend()
    source.activate()
    while Deadline.now() < start + .milliseconds(60) { await Task.yield() }
    #expect(trace.entries == [])
    source.resume()
    let first = try await trace.entries(1)[0]
    #expect(first.data ?? 0 >= 12, "\(first)")
    try await end(source, trace)
  }

  @Test("A schedule replaces the fires of the former one")
  func rescheduled() async throws {
    let trace = Trace()
    let source = source(trace)
    source.suspend()
    source.activate()
    source.schedule(deadline: .now(), repeating: .milliseconds(1))
    // Until the first fires have come, as another timer shows.
    let other = Trace()
    let clock = self.source(other)
    clock.schedule(deadline: .now() + .milliseconds(5))
    clock.activate()
    _ = try await other.entries(1)
    let start = Deadline.now()
    source.schedule(deadline: start + .milliseconds(50))
    source.resume()
    #expect(try await trace.entries(1) == [.event(1)])
    #expect(start.distance(to: .now()) >= .milliseconds(50))
    try await end(source, trace)
    try await end(clock, other)
  }

  @Test("A start in the past counts the intervals since then")
  func past() async throws {
    let trace = Trace()
    let source = source(trace)
    source.schedule(deadline: .now() - .milliseconds(1_000), repeating: .seconds(100))
    source.activate()
    #expect(try await trace.entries(1) == [.event(1)])
    // Intervals that none can pass meanwhile; the wall clock is far from its start.
    source.schedule(wallDeadline: .now() - .seconds(1_000), repeating: .seconds(300))
    #expect(try await trace.entries(2) == [.event(1), .event(4)])
    try await end(source, trace)
  }

  @Test("A schedule may have intervals in the form of Dispatch (S220)")
  func clockIntervals() async throws {
    let trace = Trace()
    let source = source(trace)
    let interval: ClockInterval = .seconds(100)
    source.schedule(deadline: .now() - .seconds(250), repeating: interval, leeway: interval)
    source.activate()
    #expect(try await trace.entries(1) == [.event(3)])
    source.schedule(wallDeadline: .now() - interval, repeating: .never, leeway: .seconds(1))
    #expect(try await trace.entries(2) == [.event(3), .event(1)])
    source.schedule(deadline: .now() - .seconds(250), repeating: 100, leeway: interval)
    #expect(try await trace.entries(3).last == .event(3))
    source.schedule(wallDeadline: .now() - .seconds(250), repeating: 100, leeway: interval)
    #expect(try await trace.entries(4).last == .event(3))
    try await end(source, trace)
  }

  @Test("A timer that starts at the start of its clock starts now (S91)")
  func startOfTheClock() async throws {
    let trace = Trace()
    let source = source(trace)
    source.schedule(deadline: Deadline(uptimeNanoseconds: 0), repeating: .seconds(100))
    source.activate()
    #expect(try await trace.entries(1) == [.event(1)])
    source.schedule(wallDeadline: .now() - .infinity, repeating: .seconds(100))
    #expect(try await trace.entries(2) == [.event(1), .event(1)])
    try await end(source, trace)
  }

  @Test("A source is suspended and activated through its protocol (S221)")
  func suspendableObject() async throws {
    let trace = Trace()
    let source = source(trace)
    let object: any SuspendableObject = source
    source.schedule(deadline: .now())
    object.suspend()
    object.activate()
    #expect(await trace.drained() == [])
    object.resume()
    #expect(try await trace.entries(1) == [.event(1)])
    try await end(source, trace)
  }

  @Test("A timer without a schedule, and one in the distant future, do not fire until they are set")
  func never() async throws {
    let trace = Trace()
    let source = source(trace)
    source.activate()
    source.schedule(deadline: .distantFuture, repeating: .milliseconds(1))
    #expect(await trace.drained() == [])
    source.schedule(deadline: .now())
    #expect(try await trace.entries(1) == [.event(1)])
    try await end(source, trace)
    source.schedule(deadline: .now())
    #expect(await trace.drained() == [.event(1), .cancellation])
  }

  @Test("A timer of the wall clock fires, and one that is set in its handler follows the new times")
  func wallClock() async throws {
    let trace = Trace()
    let source = EventSource.makeTimerSource(queue: trace.queue)
    source.setEventHandler { [unowned source] in
      trace.add(.event(source.data))
      if trace.entries.count < 3 { source.schedule(deadline: .now() + .milliseconds(1)) }
    }
    source.setCancelHandler { trace.add(.cancellation) }
    source.schedule(wallDeadline: .now() + .milliseconds(10), repeating: 1_000)
    source.activate()
    #expect(try await trace.entries(3) == [.event(1), .event(1), .event(1)])
    try await end(source, trace)
  }

  @Test("Timers of a suspended queue with tiny intervals cost no wakes")
  func suspendedQueue() async throws {
    let trace = Trace()
    let queue = WorkQueue(label: "stopped")
    queue.suspend()
    let sources = (0..<500).map { _ in
      let source = EventSource.makeTimerSource(queue: queue)
      source.setEventHandler {}
      source.schedule(deadline: .now(), repeating: .nanoseconds(100))
      source.activate()
      return source
    }
    let source = source(trace)
    source.schedule(deadline: .now() + .milliseconds(20))
    source.activate()
    #expect(try await trace.entries(1) == [.event(1)])
    for source in sources { source.cancel() }
    queue.resume()
    try await end(source, trace)
  }

  @Test("Ten thousand timers at one time fire once each")
  func many() async throws {
    let trace = Trace()
    let count = 10_000
    let total = WorkGroup()
    let deadline = Deadline.now() + .milliseconds(50)
    let sources = (0..<count).map { _ in
      let source = EventSource.makeTimerSource(queue: trace.queue)
      total.enter()
      source.setEventHandler { total.leave() }
      source.schedule(deadline: deadline)
      source.activate()
      return source
    }
    try await completion(of: total)
    for source in sources { source.cancel() }
    _ = await trace.drained()
  }

  @Test("A timer that is cancelled while it is registered leaves nothing behind")
  func cancelledAtTheStart() async throws {
    /// Cancels the source between the activation and the registration, as another thread may.
    final class CancelAtStart: EventProducer {
      private let timer = TimerProducer()
      func start(for core: SourceCore) {
        core.cancel()
        timer.start(for: core)
      }
      func latch(_ noted: UInt) -> UInt? { timer.latch(noted) }
      func stop(for core: SourceCore) { timer.stop(for: core) }
    }
    let trace = Trace()
    let core: WeakCore
    do {
      let producer = CancelAtStart()
      let source = EventSource(
        core: SourceCore(target: trace.queue, merging: .latest, producer: producer)
      )
      source.setCancelHandler { trace.add(.cancellation) }
      core = WeakCore(source.core)
      source.activate()
      _ = try await trace.entries(1)
    }
    try await reach { core.core == nil }
  }
}
