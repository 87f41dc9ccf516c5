import IOChannels
import IOChannelsEngine
import IOChannelsLocks
import IOChannelsTestSupport
import Testing

@Suite("Intervals (S16, S26, S29, S136, S137, I12)")
struct IntervalTests {
  /// A channel whose timers the test has, on an engine of its own.
  private struct Setting {
    let timers = ManualTimers()
    let trace = Trace()
    let engine: Engine
    let channel: IOChannel

    init(_ backend: TestBackend, _ descriptor: borrowing OwnedDescriptor) throws {
      engine = try backend.makeEngine(timers: timers.timers)
      channel = IOChannel(
        type: .stream,
        fileDescriptor: descriptor.rawValue,
        engine: engine,
        queue: trace.queue,
        cleanupHandler: trace.cleanup()
      )
    }

    func read(_ name: String = "", length: Int = .max) {
      channel.read(offset: 0, length: length, queue: trace.queue, ioHandler: trace.handler(name))
    }
  }

  private func send(_ count: Int, to descriptor: BorrowedDescriptor) throws {
    #expect(try descriptor.write(pattern(count), 0..<count) == count)
  }

  /// Waits until a pipe has been emptied.
  private func emptied(_ descriptor: BorrowedDescriptor) async {
    while descriptor.isReadable { await Task.yield() }
  }

  @Test("A strict interval calls the handler without data too", arguments: TestBackend.allCases)
  func aStrictIntervalDeliversAlsoNothing(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let setting = try Setting(backend, ends.reading)
    setting.channel.setInterval(interval: .milliseconds(50), flags: .strictInterval)
    setting.read()
    // One that has bytes below the low mark, so that the operation has surely begun.
    try send(5, to: ends.writing.borrowed)
    var fired = 0
    while setting.trace.bytes.isEmpty {
      setting.timers.fire()
      fired += 1
      if fired > 1 { await Task.yield() }
    }
    // A tick after the one that brought the bytes may have a call on its way.
    await setting.trace.drain()
    let before = setting.trace.entries
    #expect(
      before.filter { $0 != .delivery(done: false, bytes: 0) } == [.delivery(done: false, bytes: 5)]
    )
    for count in 1...3 {
      setting.timers.fire()
      #expect(
        await setting.trace.entries(before.count + count).last == .delivery(done: false, bytes: 0)
      )
    }
    setting.channel.close(flags: .stop)
    #expect(
      await setting.trace.entries(before.count + 5).suffix(2) == [
        .delivery(done: true, bytes: nil, error: .canceled), .cleanup,
      ]
    )
    #expect(setting.timers.intervals == [.milliseconds(50)])
    #expect(setting.timers.count == 0)
  }

  @Test("An interval that is not strict changes nothing", arguments: TestBackend.allCases)
  func anIntervalThatIsNotStrictChangesNothing(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let setting = try Setting(backend, ends.reading)
    setting.channel.setInterval(interval: .milliseconds(50))
    setting.read()
    try send(5, to: ends.writing.borrowed)
    await emptied(ends.reading.borrowed)
    setting.timers.fire()
    setting.channel.close(flags: .stop)
    #expect(
      await setting.trace.entries(3) == [
        .delivery(done: false, bytes: 5), .delivery(done: true, bytes: nil, error: .canceled),
        .cleanup,
      ]
    )
    #expect(setting.timers.intervals.isEmpty)
  }

  @Test("An interval applies to later operations only", arguments: TestBackend.allCases)
  func anIntervalConcernsLaterOperationsOnly(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let setting = try Setting(backend, ends.reading)
    setting.read(length: 1)
    setting.channel.setInterval(interval: .seconds(1), flags: .strictInterval)
    setting.read(length: 1)
    setting.channel.setInterval(interval: .zero, flags: .strictInterval)
    setting.read(length: 1)
    #expect(setting.timers.intervals == [.seconds(1)])
    setting.channel.close(flags: .stop)
    await setting.trace.reach(4)
  }

  @Test("An interval may have the form of Dispatch (S220)", arguments: TestBackend.allCases)
  func intervalInTheFormOfDispatch(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let setting = try Setting(backend, ends.reading)
    let interval: ClockInterval = .milliseconds(50)
    setting.channel.setInterval(interval: interval, flags: .strictInterval)
    setting.read(length: 1)
    setting.channel.setInterval(interval: .never, flags: .strictInterval)
    setting.read(length: 1)
    #expect(setting.timers.intervals == [.milliseconds(50)])
    setting.channel.close(flags: .stop)
    await setting.trace.reach(3)
  }

  @Test("An operation that waits for earlier ones reports nothing", arguments: TestBackend.allCases)
  func whatWaitsForItsTurnTellsNothing(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let setting = try Setting(backend, ends.reading)
    setting.channel.setInterval(interval: .seconds(1), flags: .strictInterval)
    setting.read("a", length: 2)
    setting.read("b", length: 2)
    for _ in 0..<10 { setting.timers.fire() }
    try send(4, to: ends.writing.borrowed)
    while !setting.trace.entries.contains(where: { $0.name == "b" && $0.isDone }) {
      await Task.yield()
    }
    let entries = setting.trace.entries
    #expect(entries.filter { $0.name == "b" } == [.delivery(of: "b", done: true, bytes: 2)])
    #expect(entries.filter { $0.name == "a" }.last == .delivery(of: "a", done: true, bytes: 2))
    #expect(setting.timers.count == 0)
    setting.channel.close()
    #expect(await setting.trace.entries(entries.count + 1).last == .cleanup)
  }

  @Test("A slow handler gets one call for several intervals", arguments: TestBackend.allCases)
  func aHandlerThatIsSlowGetsOneCallForTheTimeThatPassed(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let setting = try Setting(backend, ends.reading)
    setting.channel.setInterval(interval: .seconds(1), flags: .strictInterval)
    let (hasBegun, mayReturn) = (CountingSemaphore(value: 0), CountingSemaphore(value: 0))
    let count = BargingLock(0)
    setting.channel.read(offset: 0, length: .max, queue: .global()) { isDone, _, _ in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      if isFirst {
        hasBegun.signal()
        mayReturn.wait()
      }
      if isDone { setting.trace.add(.number("calls", count.withLock { $0 })) }
    }
    try send(1, to: ends.writing.borrowed)
    func handlerWaits() -> Bool { hasBegun.wait(timeout: .now()) == .success }
    while !handlerWaits() { setting.timers.fire() }
    for _ in 0..<100 { setting.timers.fire() }
    mayReturn.signal()
    setting.channel.close(flags: .stop)
    // The first call, one for all ticks, the bytes if they came after it, the end.
    let entries = await setting.trace.entries(2)
    #expect((2...4).contains { entries[0] == .number("calls", $0) }, "\(entries)")
  }

  @Test("A write reports the remaining bytes", arguments: TestBackend.allCases)
  func aWriteTellsWhatIsLeft(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let setting = try Setting(backend, ends.writing)
    setting.channel.setInterval(interval: .seconds(1), flags: .strictInterval)
    let data = DataBuffer(pattern(100_000))
    let (channel, trace) = (setting.channel, setting.trace)
    channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
    // It has begun when the pipe has something.
    while !ends.reading.borrowed.isReadable { await Task.yield() }
    setting.timers.fire()
    let first = await trace.entries(1)[0]
    #expect(!first.isDone && first.error == nil, "\(first)")
    channel.close(flags: .stop)
    let entries = await trace.entries(3)
    #expect(entries[1].isDone && entries[1].error == .canceled, "\(entries)")
    #expect(entries[1].bytes ?? 0 >= 100_000 - 65_536, "\(entries)")
  }

  /// Time itself, which is only waited for.
  @Test("Timers of the process fire", arguments: TestBackend.allCases)
  func timersOfTheProcessGoOff(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    channel.setInterval(interval: .milliseconds(1), flags: .strictInterval)
    channel.read(offset: 0, length: .max, queue: trace.queue, ioHandler: trace.handler())
    #expect(
      await trace.entries(3).prefix(3) == [
        .delivery(done: false, bytes: 0), .delivery(done: false, bytes: 0),
        .delivery(done: false, bytes: 0),
      ]
    )
    channel.close(flags: .stop)
    var entries: [TraceEntry] = []
    repeat { entries = await trace.entries(entries.count + 1) } while entries.last != .cleanup
    #expect(entries.dropLast().last == .delivery(done: true, bytes: nil, error: .canceled))
  }
}
