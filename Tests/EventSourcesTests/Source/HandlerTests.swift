import IOChannelsLocks
import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Handlers of a source")
struct HandlerTests {
  @Test("A handler is replaced from the next call on, and events without one are lost")
  func replacement() async throws {
    let trace = Trace()
    let source = EventSource.makeUserDataAddSource(queue: trace.queue)
    source.setCancelHandler { trace.add(.cancellation) }
    source.activate()
    source.add(data: 1)
    _ = await trace.drained()
    source.setEventHandler { [unowned source] in trace.add(.event(of: "late", source.data)) }
    source.add(data: 2)
    _ = try await trace.entries(1)
    source.setEventHandler(
      handler: WorkItem { [unowned source] in trace.add(.event(of: "new", source.data)) }
    )
    source.add(data: 3)
    _ = try await trace.entries(2)
    source.setEventHandler(handler: (@Sendable () -> Void)?.none)
    source.add(data: 4)
    _ = await trace.drained()
    source.setEventHandler { [unowned source] in trace.add(.event(of: "again", source.data)) }
    source.add(data: 5)
    #expect(
      try await trace.entries(3) == [
        .event(of: "late", 2), .event(of: "new", 3), .event(of: "again", 5),
      ]
    )
    source.cancel()
    _ = try await trace.entries(4)
  }

  @Test("A cancellation during a call lets it end, and drops later events")
  func cancelDuringCall() async throws {
    let trace = Trace()
    let source = EventSource.makeUserDataAddSource(queue: trace.queue)
    source.setCancelHandler { trace.add(.cancellation) }
    source.setEventHandler { [unowned source] in
      source.add(data: 5)
      source.cancel()
      trace.add(.mark(source.isCancelled ? "cancelled" : "alive"))
    }
    source.activate()
    source.add(data: 1)
    #expect(try await trace.entries(2) == [.mark("cancelled"), .cancellation])
    #expect(await trace.drained() == [.mark("cancelled"), .cancellation])
  }

  @Test("The cancel handler follows the call that cancels, before other work of the queue")
  func cancelHandlerFollowsAtOnce() async throws {
    let trace = Trace()
    let source = EventSource.makeUserDataAddSource(queue: trace.queue)
    source.setCancelHandler { trace.add(.cancellation) }
    source.setEventHandler { [unowned source] in
      trace.queue.async { trace.add(.mark("work")) }
      source.cancel()
      trace.add(.call)
    }
    source.activate()
    source.add(data: 1)
    #expect(try await trace.entries(3) == [.call, .cancellation, .mark("work")])
  }

  @Test("A cancel handler does not follow on a queue that is no target any more")
  func cancelHandlerOnLaterTarget() async throws {
    let trace = Trace()
    let source = EventSource.makeUserDataAddSource(queue: trace.queue)
    let other = WorkQueue(label: "other")
    source.setCancelHandler { trace.add(.cancellation(on: WorkQueue.currentLabel)) }
    source.setEventHandler { [unowned source] in
      source.setTarget(queue: other)
      source.cancel()
      trace.add(.call)
    }
    source.activate()
    source.add(data: 1)
    #expect(try await trace.entries(2) == [.call, .cancellation(on: "other")])
  }

  @Test("A registration handler that is set on a registered source runs at once")
  func lateRegistrationHandler() async throws {
    let trace = Trace()
    let source = EventSource.makeUserDataAddSource(queue: trace.queue)
    source.activate()
    _ = await trace.drained()
    source.setRegistrationHandler { trace.add(.registration) }
    #expect(try await trace.entries(1) == [.registration])
    source.setCancelHandler { trace.add(.cancellation) }
    source.cancel()
    _ = try await trace.entries(2)
    source.setRegistrationHandler { trace.add(.mark("late")) }
    #expect(await trace.drained() == [.registration, .cancellation])
  }

  @Test("A call that is queued runs on the old target, later ones on the new one")
  func target() async throws {
    let trace = Trace()
    let first = WorkQueue(label: "first")
    let second = WorkQueue(label: "second")
    let source = EventSource.makeUserDataAddSource(queue: first)
    source.setEventHandler { trace.add(.mark(WorkQueue.currentLabel)) }
    source.setCancelHandler { trace.add(.cancellation(on: WorkQueue.currentLabel)) }
    source.activate()
    await withCheckedContinuation { continuation in
      first.async {
        source.add(data: 1)
        source.setTarget(queue: second)
        continuation.resume()
      }
    }
    _ = try await trace.entries(1)
    source.add(data: 1)
    _ = try await trace.entries(2)
    source.cancel()
    let entries = try await trace.entries(3)
    #expect(entries.dropFirst() == [.mark("second"), .cancellation(on: "second")])
  }

  @Test("A handler that holds its source is dropped after the cancel handler, on the queue")
  func ownership() async throws {
    final class Token: Sendable {
      let trace: Trace
      init(_ trace: Trace) { self.trace = trace }
      deinit { trace.add(.mark("dropped")) }
    }
    let trace = Trace()
    do {
      let source = EventSource.makeUserDataAddSource(queue: trace.queue)
      let token = Token(trace)
      source.setEventHandler {
        _ = token
        source.cancel()
      }
      source.setCancelHandler { trace.add(.cancellation) }
      source.activate()
      source.add(data: 1)
    }
    #expect(try await trace.entries(2) == [.cancellation, .mark("dropped")])
  }

  @Test("Dropping the last reference ends a source without its cancel handler")
  func dropped() async throws {
    let trace = Trace()
    do {
      let pipe = try PipeEnds()
      let source = EventSource.makeReadSource(
        fileDescriptor: pipe.reading.rawValue,
        queue: trace.queue
      )
      source.record(in: trace)
      source.activate()
      _ = try await trace.entries(1)
    }
    #expect(await trace.drained() == [.registration])
  }

  @Test("A source that is dropped while it is inactive or suspended stops the program")
  func droppedInactive() async {
    let inactive = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = EventSource.makeTimerSource()
    }
    let suspended = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let source = EventSource.makeTimerSource()
      source.activate()
      source.suspend()
    }
    for result in [inactive, suspended] {
      expectMessage("S182", from: result)
    }
  }

  @Test("Resuming an inactive source activates it, and suspensions before that count")
  func resuming() async throws {
    let trace = Trace()
    let source = EventSource.makeUserDataAddSource(queue: trace.queue)
    source.record(in: trace)
    source.suspend()
    source.resume()
    #expect(await trace.drained() == [])
    source.suspend()
    source.activate()
    #expect(await trace.drained() == [])
    source.resume()
    #expect(try await trace.entries(1) == [.registration])
    source.activate()
    source.cancel()
    #expect(try await trace.entries(2) == [.registration, .cancellation])
  }

  @Test("A handler that is set while an event is delivered receives the next one")
  func setDuringDelivery() async throws {
    /// Calls a closure while it delivers the first event.
    final class Hook: EventProducer {
      let body = BargingLock<(@Sendable () -> Void)?>(nil)
      let rearms = BargingLock(0)
      func start(for core: SourceCore) {
        core.registered(nil)
        core.noted(1)
      }
      func discard(_ noted: UInt) { body.withLock { $0.take() }?() }
      func rearm(for core: SourceCore) {
        if rearms.withLock({
          $0 += 1; return $0 == 1
        }) {
          core.noted(2)
        }
      }
      func stop(for core: SourceCore) { core.released() }
    }
    let trace = Trace()
    let hook = Hook()
    let source = EventSource(
      core: SourceCore(target: trace.queue, merging: .latest, producer: hook)
    )
    hook.body.withLock {
      $0 = { [weak source] in
        source?.setEventHandler { [weak source] in trace.add(.event(source?.core.data ?? 0)) }
      }
    }
    source.setCancelHandler { trace.add(.cancellation) }
    source.activate()
    #expect(try await trace.entries(1) == [.event(2)])
    source.cancel()
    _ = try await trace.entries(2)
  }

  @Test("The cancel handler runs on the target that was set before it was due")
  func targetOfCancelHandler() async throws {
    let trace = Trace()
    let first = WorkQueue(label: "first")
    let second = WorkQueue(label: "second")
    let source = EventSource.makeUserDataAddSource(queue: first)
    source.setEventHandler {}
    source.setCancelHandler { trace.add(.cancellation(on: WorkQueue.currentLabel)) }
    source.activate()
    first.suspend()
    source.add(data: 1)
    source.setTarget(queue: second)
    source.cancel()
    first.resume()
    #expect(try await trace.entries(1) == [.cancellation(on: "second")])
  }

  @Test("A handler that is set after the cancel handler is dropped at once")
  func setAfterTheEnd() async throws {
    final class Token: Sendable {}
    let trace = Trace()
    let source = EventSource.makeUserDataAddSource(queue: trace.queue)
    source.setCancelHandler { trace.add(.cancellation) }
    source.activate()
    source.cancel()
    _ = try await trace.entries(1)
    weak var kept: Token?
    do {
      let token = Token()
      kept = token
      source.setEventHandler { _ = token }
      source.setRegistrationHandler { _ = token }
    }
    #expect(kept == nil)
  }

  @Test("A handler is never released on the thread that reports an event")
  func releasedOnQueue() async throws {
    /// Notes the thread on which it is released.
    final class Witness: Sendable {
      let trace: Trace
      init(_ trace: Trace) { self.trace = trace }
      deinit { trace.add(.mark(currentThreadName)) }
    }
    func start(_ trace: Trace) -> TimerSource {
      let source = EventSource.makeTimerSource(queue: .global())
      let witness = Witness(trace)
      source.setEventHandler { [weak source] in
        source?.cancel()
        _ = witness
      }
      source.schedule(deadline: .now() + .microseconds(1))
      source.activate()
      return source
    }
    for _ in 0..<Tier.count(quick: 300, full: 10_000) {
      let trace = Trace()
      let source = start(trace)
      let entries = try await trace.entries(1)
      #expect(entries != [.mark("timer")] && entries != [.mark("sources")])
      withExtendedLifetime(source) {}
    }
  }

  @Test("The description names the kind, the state and the queue")
  func description() async throws {
    let trace = Trace()
    let source = EventSource.makeReadSource(fileDescriptor: 1_000_000, queue: trace.queue)
    #expect(source.debugDescription == "ReadSource(inactive on trace)")
    source.record(in: trace)
    source.activate()
    _ = try await trace.entries(1)
    source.suspend()
    #expect(source.debugDescription.hasPrefix("ReadSource(registered, suspended, "))
    source.resume()
    source.cancel()
    _ = try await trace.entries(2)
    #expect(source.debugDescription.hasPrefix("ReadSource(cancelled, "))
  }
}
