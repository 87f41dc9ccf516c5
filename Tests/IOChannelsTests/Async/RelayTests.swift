import DataRegions
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@testable import IOChannels

@Suite("Relays from one channel to another (S245)")
struct RelayTests {
  /// Two pipes or pairs of sockets with a relay between them, and channels at the far ends.
  private struct Line: ~Copyable {
    let input: PipeEnds
    let output: PipeEnds
    /// The channel whose bytes come to the source.
    let feed: IOChannel
    let source: IOChannel
    let destination: IOChannel
    /// The channel that reads the bytes of the destination.
    let drain: IOChannel

    init(_ backend: TestBackend, areSockets: Bool = false) throws {
      let input = try RelayTests.ends(areSockets)
      let output = try RelayTests.ends(areSockets)
      let feed = try backend.channel(.stream, input.writing, Trace())
      let source = try backend.channel(.stream, input.reading, Trace())
      let destination = try backend.channel(.stream, output.writing, Trace())
      let drain = try backend.channel(.stream, output.reading, Trace())
      self.input = input
      self.output = output
      self.feed = feed
      self.source = source
      self.destination = destination
      self.drain = drain
    }

    consuming func close() async throws {
      for channel in [feed, source, destination, drain] {
        try await channel.closeAndCleanUp(flags: .stop)
      }
      _ = (input.reading.rawValue, output.reading.rawValue)
    }
  }

  private static func ends(_ areSockets: Bool) throws -> PipeEnds {
    areSockets ? try PipeEnds(socketsWithMessages: false) : try PipeEnds()
  }

  /// Waits until so many operations of a channel are in order or have handlers that run.
  private static func wait(for count: Int, of channel: IOChannel) async {
    while channel.core.state?.open.count != count { await Task.yield() }
  }

  @Test(
    "All bytes come through in order, up to the number",
    arguments: TestBackend.allCases,
    [false, true]
  )
  func bytes(backend: TestBackend, areSockets: Bool) async throws {
    let line = try Line(backend, areSockets: areSockets)
    let (feed, source, destination, drain) = (line.feed, line.source, line.destination, line.drain)
    for count in [1, 4096, 300_000, 2_000_000] {
      let data = DataBuffer(pattern(count + 1))
      async let sent: Void = feed.write(data)
      async let moved = source.relay(to: destination, count: count)
      #expect(try await drain.read(length: count) == data.subdata(in: 0..<count))
      let movedCount = try await moved
      #expect(movedCount == count)
      // The next byte stays in the source.
      #expect([UInt8](try await source.read(length: 1)) == pattern(1, from: count))
      try await sent
    }
    #expect(try await source.relay(to: destination, count: 0) == 0)
    try await line.close()
  }

  @Test("A relay ends with the file, and both positions follow", arguments: TestBackend.allCases)
  func files(backend: TestBackend) async throws {
    let bytes = pattern(1_500_000)
    let (from, to) = (try FileOfBytes(bytes), try FileOfBytes([]))
    let source = try AsyncPlace(backend, .stream, from.opened())
    let destination = try AsyncPlace(backend, .stream, to.opened(.writeOnly))
    let (input, output) = (source.channel, destination.channel)
    #expect(try await input.relay(to: output, count: 5) == 5)
    #expect([UInt8](try await input.read(length: 2)) == Array(bytes[5..<7]))
    try await output.write(DataBuffer([1]))
    #expect(try await input.relay(to: output) == bytes.count - 7)
    #expect(try await input.relay(to: output) == 0)
    #expect(try to.bytes() == Array(bytes[..<5]) + [1] + Array(bytes[7...]))
    await source.close()
    await destination.close()
  }

  @Test(
    "Files with offsets take part at an offset, or at the position of the channel",
    arguments: TestBackend.allCases
  )
  func randomChannels(backend: TestBackend) async throws {
    let bytes = pattern(1_500_000)
    let (from, to) = (try FileOfBytes(bytes), try FileOfBytes([]))
    let source = try AsyncPlace(backend, .random, from.opened())
    let destination = try AsyncPlace(backend, .random, to.opened(.readWrite))
    let (input, output) = (source.channel, destination.channel)
    let ends = try PipeEnds()
    let feed = try backend.channel(.stream, ends.writing, Trace())
    let drain = try backend.channel(.stream, ends.reading, Trace())
    // From a file to a pipe, and from the pipe to a file.
    async let sent = input.relay(to: feed)
    #expect(try await drain.relay(to: output, count: bytes.count) == bytes.count)
    let sentCount = try await sent
    #expect(sentCount == bytes.count)
    #expect(try to.bytes() == bytes)
    // Both positions are at the end.
    #expect(try await input.relay(to: feed) == 0)
    try await output.write(DataBuffer([1]))
    #expect(try to.bytes() == bytes + [1])
    #expect(try await input.relay(to: feed, from: 7, count: 5) == 5)
    #expect(try await drain.relay(to: output, at: 2, count: 5) == 5)
    #expect(try to.bytes() == Array(bytes[..<2]) + Array(bytes[7..<12]) + Array(bytes[7...]) + [1])
    #expect(try await input.relay(to: output, from: 0, at: 0) == bytes.count)
    #expect(try to.bytes() == bytes + [1])
    let (own, negative) = (
      await #expect(throws: RelayError.self) { try await input.relay(to: input) },
      await #expect(throws: RelayError.self) { try await input.relay(to: output, from: -1) }
    )
    #expect(own?.cause.reason == .invalidArgument && negative?.cause.reason == .invalidArgument)
    for channel in [feed, drain] { try await channel.closeAndCleanUp() }
    await source.close()
    await destination.close()
    _ = (ends.reading.rawValue, ends.writing.rawValue)
  }

  @Test("A file that fails keeps its position behind the bytes", arguments: TestBackend.allCases)
  func failedRandomChannel(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(10))
    let source = try AsyncPlace(backend, .random, file.opened())
    let destination = try AsyncPlace(backend, .stream, PipeEnds().loseReader())
    let (input, output) = (source.channel, destination.channel)
    let error = await #expect(throws: RelayError.self) {
      try await input.relay(to: output, count: 3)
    }
    #expect(error?.cause.reason == .brokenPipe && error?.cause.operation == .write)
    let unwritten = [UInt8](error?.unwritten ?? .empty)
    // A system may give fewer than are there to one call.
    #expect(!unwritten.isEmpty && unwritten == pattern(unwritten.count))
    #expect(unwritten + [UInt8](try await input.readAll()) == pattern(10))
    await source.close()
    await destination.close()
  }

  @Test("It has its place among reads, writes and barriers", arguments: TestBackend.allCases)
  func order(backend: TestBackend) async throws {
    let line = try Line(backend)
    let (feed, source, destination, drain) = (line.feed, line.source, line.destination, line.drain)
    let trace = Trace()
    source.read(offset: 0, length: 3, queue: trace.queue, ioHandler: trace.handler("first"))
    let relay = Task { try await source.relay(to: destination, count: 4) }
    await Self.wait(for: 2, of: source)
    await Self.wait(for: 1, of: destination)
    source.read(offset: 0, length: 2, queue: trace.queue, ioHandler: trace.handler("last"))
    destination.barrier { trace.add(.mark("barrier")) }
    let data = DataBuffer([9])
    destination.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler("write"))
    try await feed.write(DataBuffer(pattern(9)))
    #expect(try await relay.value == 4)
    #expect([UInt8](try await drain.read(length: 5)) == pattern(4, from: 3) + [9])
    let entries = await trace.entries(4)
    #expect(trace.bytes == pattern(3) + pattern(2, from: 7))
    let barrier = entries.firstIndex(of: .mark("barrier"))
    let write = entries.firstIndex(of: .delivery(of: "write", done: true, bytes: nil))
    #expect(barrier ?? .max < write ?? 0)
    try await line.close()
  }

  /// A way to end a relay early.
  private enum Ending: CaseIterable, Sendable {
    case cancellation
    case stoppedSource
    case stoppedDestination
  }

  @Test(
    "A stop of either channel and a cancellation report the bytes before it",
    arguments: TestBackend.allCases
  )
  func early(backend: TestBackend) async throws {
    for ending in Ending.allCases {
      let line = try Line(backend)
      let (feed, source, destination, drain) = (
        line.feed, line.source, line.destination, line.drain
      )
      let relay = Task { try await source.relay(to: destination) }
      try await feed.write(DataBuffer(pattern(5)))
      #expect([UInt8](try await drain.read(length: 5)) == pattern(5))
      switch ending {
      case .cancellation: relay.cancel()
      case .stoppedSource: source.close(flags: .stop)
      case .stoppedDestination: destination.close(flags: .stop)
      }
      let error = await #expect(throws: RelayError.self) { try await relay.value }
      #expect(error?.isCancellation == true)
      #expect(error?.cause.operation == (ending == .stoppedDestination ? .write : .read))
      #expect(error?.cause.transferredCount == 5)
      #expect(error?.unwritten == .empty)
      try await line.close()
    }
  }

  @Test("A cancelled relay to a full pipe loses no byte", arguments: TestBackend.allCases)
  func fullDestination(backend: TestBackend) async throws {
    let line = try Line(backend)
    let (feed, source, destination, drain) = (line.feed, line.source, line.destination, line.drain)
    let data = DataBuffer(pattern(1_000_000))
    async let sent: Void = feed.write(data)
    let relay = Task { try await source.relay(to: destination) }
    #expect([UInt8](try await drain.read(length: 1)) == pattern(1))
    relay.cancel()
    let error = await #expect(throws: RelayError.self) { try await relay.value }
    let written = error?.cause.transferredCount ?? 0
    let unwritten = error?.unwritten ?? .empty
    #expect(unwritten.count <= 2 << 20)
    let passed = try await drain.read(length: written - 1)
    #expect(passed == data.subdata(in: 1..<written))
    #expect(unwritten == data.subdata(in: written..<written + unwritten.count))
    let rest = data.subdata(in: written + unwritten.count..<data.count)
    #expect(try await source.read(length: rest.count) == rest)
    try await sent
    try await line.close()
  }

  @Test("A lost reader ends it, and the error has the bytes", arguments: TestBackend.allCases)
  func lostReader(backend: TestBackend) async throws {
    let input = try PipeEnds()
    let source = try AsyncPlace(backend, .stream, input.reading.borrowed.duplicate())
    let destination = try AsyncPlace(backend, .stream, PipeEnds().loseReader())
    _ = try input.writing.borrowed.write(pattern(10), 0..<10)
    let (from, to) = (source.channel, destination.channel)
    let error = await #expect(throws: RelayError.self) { try await from.relay(to: to) }
    #expect(error?.cause.reason == .brokenPipe)
    #expect(error?.cause.operation == .write)
    let unwritten = error?.unwritten ?? .empty
    // A system may give fewer than are there to one call.
    #expect([UInt8](unwritten) == pattern(unwritten.count) && !unwritten.isEmpty)
    _ = try input.writing.borrowed.write([7], 0..<1)
    #expect(try await from.read(length: 11 - unwritten.count).count == 11 - unwritten.count)
    await source.close()
    await destination.close()
    _ = input.reading.rawValue
  }

  @Test(
    "Waiting relays hold no memory, and running ones that of two pieces",
    arguments: TestBackend.allCases
  )
  func memory(backend: TestBackend) async throws {
    let engine = try backend.makeEngine(budget: MemoryBudget(limit: 8 << 20))
    let input = try PipeEnds()
    let output = try PipeEnds()
    func channel(_ descriptor: borrowing OwnedDescriptor) -> IOChannel {
      IOChannel(
        type: .stream,
        fileDescriptor: descriptor.rawValue,
        engine: engine,
        queue: .global(),
        cleanupHandler: { _ in }
      )
    }
    let (source, destination) = (channel(input.reading), channel(output.writing))
    let drain = try backend.channel(.stream, output.reading, Trace())
    let feed = try backend.channel(.stream, input.writing, Trace())
    let relays = (0..<8).map { _ in Task { try await source.relay(to: destination) } }
    await Self.wait(for: 8, of: destination)
    #expect(engine.budget.used <= RelayState.firstRead)
    let data = DataBuffer(pattern(1_000_000))
    async let sent: Void = feed.write(data)
    #expect(try await drain.read(length: data.count) == data)
    try await sent
    #expect(engine.budget.used <= 2 << 20)
    for relay in relays { relay.cancel() }
    for relay in relays { await #expect(throws: RelayError.self) { try await relay.value } }
    #expect(engine.budget.used == 0)
    for channel in [source, destination, drain, feed] {
      try await channel.closeAndCleanUp(flags: .stop)
    }
    _ = (input.reading.rawValue, output.reading.rawValue)
  }

  @Test("One piece of memory is enough", arguments: TestBackend.allCases)
  func shortMemory(backend: TestBackend) async throws {
    let engine = try backend.makeEngine(budget: MemoryBudget(limit: 8))
    let (from, to) = (try FileOfBytes(pattern(500_000)), try FileOfBytes([]))
    let input = try from.opened()
    let output = try to.opened(.writeOnly)
    let channels = [input.rawValue, output.rawValue].map { number in
      IOChannel(
        type: .stream,
        fileDescriptor: number,
        engine: engine,
        queue: .global(),
        cleanupHandler: { _ in }
      )
    }
    #expect(try await channels[0].relay(to: channels[1]) == 500_000)
    #expect(try to.bytes() == pattern(500_000))
    #expect(engine.budget.used == 0)
    for channel in channels { try await channel.closeAndCleanUp() }
    _ = (input.rawValue, output.rawValue)
  }

  @Test("A socket may be relayed to itself, a file may not", arguments: TestBackend.allCases)
  func echo(backend: TestBackend) async throws {
    let ends = try PipeEnds(socketsWithMessages: false)
    let channel = try backend.channel(.stream, ends.reading, Trace())
    let peer = try backend.channel(.stream, ends.writing, Trace())
    async let moved = channel.relay(to: channel)
    try await peer.write(DataBuffer(pattern(100)))
    #expect([UInt8](try await peer.read(length: 100)) == pattern(100))
    try await peer.finishWriting()
    let movedCount = try await moved
    #expect(movedCount == 100)
    for end in [channel, peer] { try await end.closeAndCleanUp() }
    _ = ends.reading.rawValue
    let file = try FileOfBytes(pattern(10))
    let place = try AsyncPlace(backend, .stream, file.opened(.readWrite))
    let same = place.channel
    let error = await #expect(throws: RelayError.self) { try await same.relay(to: same) }
    #expect(error?.cause.reason == .invalidArgument)
    #expect(try file.bytes() == pattern(10))
    await place.close()
  }

  @Test(
    "Relays in opposite directions do not wait for each other",
    arguments: TestBackend.allCases
  )
  func opposite(backend: TestBackend) async throws {
    let (first, second) = (try FileOfBytes(pattern(10)), try FileOfBytes(pattern(10)))
    let one = try AsyncPlace(backend, .stream, first.opened(.readWrite))
    let other = try AsyncPlace(backend, .stream, second.opened(.readWrite))
    let (left, right) = (one.channel, other.channel)
    // Reads and writes of a file have one order.
    try await withThrowingTaskGroup(of: Int.self) { tasks in
      for _ in 0..<50 {
        tasks.addTask { try await left.relay(to: right, count: 1) }
        tasks.addTask { try await right.relay(to: left, count: 1) }
      }
      var ended = 0
      for try await _ in tasks { ended += 1 }
      #expect(ended == 100)
    }
    await one.close()
    await other.close()
  }

  @Test("A closed channel is an error, and the other one stays", arguments: TestBackend.allCases)
  func closed(backend: TestBackend) async throws {
    let line = try Line(backend)
    let (feed, source, destination) = (line.feed, line.source, line.destination)
    destination.close()
    let refused = await #expect(throws: RelayError.self) {
      try await source.relay(to: destination)
    }
    #expect(refused?.cause.reason == .canceled && refused?.cause.operation == .write)
    try await feed.write(DataBuffer(pattern(3)))
    #expect([UInt8](try await source.read(length: 3)) == pattern(3))
    source.close()
    let closed = await #expect(throws: RelayError.self) {
      try await source.relay(to: destination)
    }
    #expect(closed?.cause.operation == .read)
    try await line.close()
  }
}
