import CIOChannelsTestSupport
import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Memory pressure sources")
struct MemoryPressureSourceTests {
  /// Creates a source with a trigger for each level, which fires when its pipe is written to.
  private func source(
    _ mask: EventSource.MemoryPressureEvent,
    _ trace: Trace,
    _ triggers: [PressureTrigger]
  ) -> MemoryPressureSource {
    // A level never falls while a test looks at it, however busy the machine is.
    let source = MemoryPressureSource(.system, triggers, mask, trace.queue, hold: .max / 2)
    source.record(in: trace)
    source.setEventHandler { [unowned source] in trace.add(.pressure(source.data)) }
    return source
  }

  /// A trigger that fires when the test sends bytes.
  private struct Lever {
    let trigger: PressureTrigger
    private let sender: EventPort.Sender

    init(_ level: PressureState.Level) throws {
      let pair = try EventPort.makePair()
      let receiving = try pair.port.borrowed.duplicate()
      try receiving.borrowed.setStatusFlags(.nonBlocking)
      trigger = PressureTrigger(level, receiving, isExceptional: false)
      sender = pair.sender
    }

    func fire(_ count: Int = 1) throws { try sender.send([UInt8](repeating: 7, count: count)) }
  }

  @Test("A trigger reports its level once, and further triggers of it nothing")
  func changes() async throws {
    let trace = Trace()
    let warning = try Lever(.warning)
    let critical = try Lever(.critical)
    let source = source(.all, trace, [warning.trigger, critical.trigger])
    source.activate()
    _ = try await trace.entries(1)
    #expect(source.level == .normal && source.data.isEmpty && source.handle == 0)
    try warning.fire()
    #expect(try await trace.entries(2) == [.registration, .pressure(.warning)])
    #expect(source.level == .warning)
    try critical.fire()
    #expect(
      try await trace.entries(3) == [.registration, .pressure(.warning), .pressure(.critical)]
    )
    #expect(source.level == .critical)
    source.cancel()
    #expect(try await trace.entries(4).last == .cancellation)
    #expect(source.mask.isEmpty)
  }

  @Test("Levels that come while the source is suspended are delivered by one call")
  func suspended() async throws {
    let trace = Trace()
    let warning = try Lever(.warning)
    let critical = try Lever(.critical)
    let source = source(.all, trace, [warning.trigger, critical.trigger])
    source.activate()
    _ = try await trace.entries(1)
    try await source.whileSuspended {
      try warning.fire()
      try await reach { source.level == .warning }
      try critical.fire()
      try await reach { source.level == .critical }
      #expect(await trace.drained() == [.registration])
    }
    #expect(try await trace.entries(2) == [.registration, .pressure([.warning, .critical])])
    source.cancel()
    _ = try await trace.entries(3)
  }

  @Test("Levels outside of the mask are not delivered")
  func masked() async throws {
    let trace = Trace()
    let warning = try Lever(.warning)
    let critical = try Lever(.critical)
    let source = source(.critical, trace, [warning.trigger, critical.trigger])
    source.activate()
    try warning.fire()
    try await reach { source.level == .warning }
    #expect(await trace.drained() == [.registration])
    try critical.fire()
    #expect(try await trace.entries(2) == [.registration, .pressure(.critical)])
    #expect(source.mask == .critical)
    source.cancel()
    _ = try await trace.entries(3)
  }

  @Test("A trigger is emptied, and one whose peer has gone is left alone")
  func lostTrigger() async throws {
    let trace = Trace()
    let warning = try Lever(.warning)
    var critical: Lever? = try Lever(.critical)
    let triggers = [warning.trigger, critical?.trigger].compactMap(\.self)
    let source = source(.all, trace, triggers)
    for _ in 0..<3 { try warning.fire(4096) }
    source.activate()
    #expect(try await trace.entries(2) == [.registration, .pressure(.warning)])
    #expect(try warning.trigger.descriptor.borrowed.readableBytes() == 0)
    critical = nil
    // A child that another test starts at this moment has the peer until its `exec`.
    try await reach { triggers[1].take([.readable, .hangUp]) == false }
    #expect(await trace.drained() == [.registration, .pressure(.warning)])
    source.cancel()
    #expect(try await trace.entries(3).last == .cancellation)
  }

  @Test("A trigger is waited for again after its rest")
  func rest() async throws {
    let trace = Trace()
    let warning = try Lever(.warning)
    let source = source(.all, trace, [warning.trigger])
    source.activate()
    try warning.fire()
    _ = try await trace.entries(2)
    try warning.fire()
    let descriptor = warning.trigger.descriptor.borrowed
    try await reach { try descriptor.readableBytes() == 0 }
    #expect(await trace.drained() == [.registration, .pressure(.warning)])
    source.cancel()
    _ = try await trace.entries(3)
  }

  @Test("A trigger whose peer writes without end is left after some reads")
  func endlessPeer() async {
    await #expect(processExitsWith: .success) {
      let endless = try openFile("/dev/zero")
      let trigger = PressureTrigger(.warning, endless, isExceptional: false)
      let trace = Trace()
      WorkQueue.global().async { trace.add(.mark(trigger.take(.readable) ? "more" : "no more")) }
      #expect(try await trace.entries(1) == [.mark("more")])
    }
  }

  @Test("Where a trigger is refused, the other ones are removed once")
  func refusedTrigger() async throws {
    let poll = ManualPoll()
    let list = ReadinessList(poll: poll) { (_, _) throws(SystemError) in }
    let levers = [try Lever(.warning), try Lever(.critical)]
    let numbers = levers.map { $0.trigger.descriptor.rawValue }
    poll.refuse(.add(numbers[1]), with: .noSpace)
    let producer = PressureProducer(levers.map(\.trigger), .all) { list }
    let trace = Trace()
    let core = SourceCore(target: trace.queue, merging: .union(mask: 7), producer: producer)
    let source = EventSource(core: core)
    source.record(in: trace)
    source.activate()
    _ = try await trace.entries(1)
    #expect(source.registrationError == .noSpace)
    source.cancel()
    #expect(try await trace.entries(2) == [.registration, .cancellation])
    #expect(
      poll.calls == [
        .add(numbers[0]), .add(numbers[1]), .remove(numbers[0]), .scheduleIdleCheck,
      ]
    )
  }

  @Test("A control group that has gone ends its trigger")
  func goneGroup() throws {
    let pair = try EventPort.makePair()
    let lever = PressureTrigger(.warning, try pair.port.borrowed.duplicate(), isExceptional: true)
    #expect(lever.events == .exceptional)
    #expect(lever.take(.exceptional))
    #expect(!lever.take([.exceptional, .failed]))
  }

  @Test("The service manager's socket gets its message, and its bytes are a warning")
  func socket() async throws {
    let place = try TemporaryDirectory()
    let listener = try listen(at: place("socket"))
    let provider = MemoryPressureSource.Provider.serviceManager(path: place("socket"))
    let triggers = try PressureTrigger.open(.init(provider: provider, message: [1, 0, 2]))
    let peer = OwnedDescriptor(owning: ct_accept(listener.rawValue))
    var message = [UInt8](repeating: 9, count: 8)
    #expect(try peer.borrowed.read(into: &message) == 3)
    #expect(message.prefix(3) == [1, 0, 2])
    let trace = Trace()
    let source = source(.all, trace, triggers)
    source.activate()
    _ = try await trace.entries(1)
    _ = try peer.borrowed.write([7], 0..<1)
    // On a slow machine the level may have fallen by now.
    #expect(try await trace.entries(2).prefix(2) == [.registration, .pressure(.warning)])
    source.cancel()
    try await trace.reach { $0.last == .cancellation }
    withExtendedLifetime(peer) {}
  }

  @Test("A mask that is empty or unknown is refused (S244)")
  func foreignMasks() {
    for mask in [0, 8, 6 | 16] as [UInt] {
      #expect(!MemoryPressureSource.accepts(eventMask: .init(rawValue: mask)))
    }
    for mask in 1...7 as ClosedRange<UInt> {
      #expect(MemoryPressureSource.accepts(eventMask: .init(rawValue: mask)))
    }
  }
}
