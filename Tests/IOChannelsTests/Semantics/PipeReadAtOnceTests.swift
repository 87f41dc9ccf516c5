import DataRegions
import IOChannels
import IOChannelsEngine
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@Suite("Reads that a pipe serves at once (S246)")
struct PipeReadAtOnceTests {
  /// A stream channel from one of two ends.
  private struct Place: ~Copyable {
    let ends: PipeEnds
    let channel: IOChannel
    let kinds = RequestKinds()
    let engine: Engine

    init(_ backend: TestBackend, _ ends: consuming PipeEnds) async throws {
      if backend == .ring { try Need.ring.orSkip() }
      engine = Engine(setting: backend.setting, observer: kinds)
      channel = IOChannel(
        type: .stream,
        fileDescriptor: ends.reading.rawValue,
        engine: engine,
        queue: .global(),
        cleanupHandler: { _ in }
      )
      self.ends = ends
      await channel.isMade()
    }

    func send(_ bytes: [UInt8]) throws {
      let count = try ends.writing.borrowed.write(bytes, 0..<bytes.count)
      #expect(count == bytes.count)
    }

    consuming func close() async throws {
      try await channel.closeAndCleanUp()
      _ = ends.reading.rawValue
    }
  }

  @Test("A read of bytes in the pipe needs no request", arguments: TestBackend.real)
  func bytesInThePipe(backend: TestBackend) async throws {
    let place = try await Place(backend, PipeEnds())
    let channel = place.channel
    for length in [1, 4096, 60_000] {
      try place.send(pattern(length))
      #expect([UInt8](try await channel.read(upTo: 1 << 20)) == pattern(length))
      let requests = place.kinds.reads
      #expect(requests == 0, "\(length)")
    }
    // The rest takes the usual route.
    try place.send(pattern(10))
    async let bytes = channel.read(length: 20)
    try place.send(pattern(10, from: 10))
    let read = try await bytes
    #expect([UInt8](read) == pattern(20))
    try await place.close()
  }

  @Test("The end of a pipe is found by a request", arguments: TestBackend.real)
  func end(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    await channel.isMade()
    let reading = ends.closeWriting()
    #expect(try await channel.read(upTo: 10).isEmpty)
    #expect(try await channel.read(length: 10).isEmpty)
    channel.close()
    await trace.reach(1)
    _ = reading.rawValue
  }

  @Test("Only anonymous pipes are tried", arguments: TestBackend.real)
  func onlyPipes(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    try runSuccessfully(["mkfifo", directory("fifo")])
    let sockets = try await Place(backend, PipeEnds(socketsWithMessages: false))
    let fifo = try await Place(backend, PipeEnds(fifo: directory("fifo")))
    try sockets.send(pattern(3))
    try fifo.send(pattern(3))
    for channel in [sockets.channel, fifo.channel] {
      #expect([UInt8](try await channel.read(upTo: 10)) == pattern(3))
    }
    let requests = (sockets.kinds.reads, fifo.kinds.reads)
    #expect(requests.0 > 0 && requests.1 > 0)
    try await sockets.close()
    try await fifo.close()
  }

  @Test("A cancelled task reads nothing (S158)", arguments: TestBackend.real)
  func cancelledTask(backend: TestBackend) async throws {
    let place = try await Place(backend, PipeEnds())
    let channel = place.channel
    try place.send(pattern(3))
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await channel.read(upTo: 10)
    }
    task.cancel()
    let error = await #expect(throws: IOChannelError.self) { try await task.value }
    let requests = place.kinds.reads
    #expect(error?.isCancellation == true && requests == 0)
    #expect([UInt8](try await channel.read(length: 3)) == pattern(3))
    try await place.close()
  }
}
