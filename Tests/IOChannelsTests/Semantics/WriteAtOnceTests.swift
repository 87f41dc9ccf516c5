import DataRegions
import IOChannels
import IOChannelsEngine
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@Suite("Writes that a pipe or socket accepts at once (S164)")
struct WriteAtOnceTests {
  /// A stream channel into one of two ends.
  private struct Place: ~Copyable {
    let ends: PipeEnds
    let channel: IOChannel
    let kinds = RequestKinds()
    let trace = Trace()
    let engine: Engine

    init(_ backend: TestBackend, _ ends: consuming PipeEnds) async throws {
      if backend == .ring { try Need.ring.orSkip() }
      engine = Engine(setting: backend.setting, observer: kinds)
      channel = IOChannel(
        type: .stream,
        fileDescriptor: ends.writing.rawValue,
        engine: engine,
        queue: trace.queue,
        cleanupHandler: trace.cleanup()
      )
      self.ends = ends
      await channel.isMade()
    }

    func write(_ data: DataBuffer, _ name: String = "") {
      channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler(name))
    }

    /// Takes so many bytes out at the other end.
    func receive(_ count: Int) throws -> [UInt8] {
      var received: [UInt8] = []
      var bytes = [UInt8](repeating: 0, count: count)
      while received.count < count {
        let some = try ends.reading.borrowed.read(into: &bytes)
        received += bytes.prefix(some)
      }
      return received
    }
  }

  private static func ends(areSockets: Bool) throws -> PipeEnds {
    areSockets ? try PipeEnds(socketsWithMessages: false) : try PipeEnds()
  }

  @Test(
    "A write that is complete at once needs no request",
    arguments: TestBackend.real,
    [false, true]
  )
  func whatIsTakenAtOnceNeedsNoRequest(backend: TestBackend, areSockets: Bool) async throws {
    let place = try await Place(backend, WriteAtOnceTests.ends(areSockets: areSockets))
    let lengths = [1, 4096, 64 << 10]
    for (index, length) in lengths.enumerated() {
      place.write(DataBuffer(pattern(length)))
      #expect(await place.trace.entries(index + 1).last == .delivery(done: true, bytes: nil))
      #expect(place.kinds.writes == 0, "\(length)")
      #expect(try place.receive(length) == pattern(length))
    }
    place.write(DataBuffer(pattern((64 << 10) + 1)))
    #expect(try place.receive((64 << 10) + 1) == pattern((64 << 10) + 1))
    #expect(place.kinds.writes > 0)
    place.channel.close()
    #expect(await place.trace.entries(5).last == .cleanup)
  }

  @Test("The rest of a write follows in order", arguments: TestBackend.real)
  func whatDoesNotFitFollowsInOrder(backend: TestBackend) async throws {
    let place = try await Place(backend, PipeEnds())
    // A pipe has room for 16 pages: one and a half of them fit no more.
    for (name, count) in [("a", 60 << 10), ("b", 6 << 10), ("c", 10), ("d", 10)] {
      place.write(DataBuffer(pattern(count)), name)
    }
    #expect(await place.trace.entries(1) == [.delivery(of: "a", done: true, bytes: nil)])
    #expect(place.kinds.writes == 1)
    var expected: [UInt8] = []
    for count in [60 << 10, 6 << 10, 10, 10] { expected += pattern(count) }
    #expect(try place.receive(expected.count) == expected)
    place.channel.close()
    #expect(
      await place.trace.entries(5) == [
        .delivery(of: "a", done: true, bytes: nil), .delivery(of: "b", done: true, bytes: nil),
        .delivery(of: "c", done: true, bytes: nil), .delivery(of: "d", done: true, bytes: nil),
        .cleanup,
      ]
    )
  }

  @Test("A lost reader leaves no signal", arguments: TestBackend.real, [false, true])
  func aLostReaderLeavesNoSignal(backend: TestBackend, fromWorker: Bool) async throws {
    let writing = try PipeEnds().loseReader()
    let trace = Trace()
    let channel = try backend.channel(.stream, writing, trace)
    await channel.isMade()
    let write: @Sendable () -> Void = {
      let data = DataBuffer(pattern(10))
      channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
      trace.add(.mark(PipeEnds.signalWaits ? "a signal waits" : "no signal waits"))
    }
    // On the shared workers others may have left one.
    let pool = WorkerPool(name: "own", width: 1, maximumThreadCount: 1)
    if fromWorker { WorkQueue(label: "own", pool: pool).async(execute: write) } else { write() }
    #expect(
      await trace.entries(2).counts == [
        .delivery(done: true, bytes: 10, error: .brokenPipe): 1, .mark("no signal waits"): 1,
      ]
    )
    channel.close()
    await trace.reach(3)
  }
}
