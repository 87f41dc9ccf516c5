import Glibc
import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@Suite("Chunks of a channel as sequences (S151, S156)")
struct SequenceTests {
  @Test("The chunks of a range are its bytes", arguments: TestBackend.allCases)
  func thePiecesOfARangeAreItsBytes(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(3_500_000))
    for kind in [IOChannel.StreamType.random, .stream] {
      let place = try AsyncPlace(backend, kind, file.opened())
      var bytes: [UInt8] = []
      for try await piece in place.channel.chunks(in: 0..<3_000_001) {
        #expect(piece.count <= 1 << 20)
        bytes += [UInt8](piece)
      }
      #expect(bytes == pattern(3_000_001))
      var rest = 0
      // A stream continues where the loop before it ended.
      let start: Int64 = kind == .stream ? 0 : 3_000_001
      for try await piece in place.channel.chunks(in: start..<Int64.max) { rest += piece.count }
      #expect(rest == 499_999)
      await place.close()
    }
  }

  @Test("A stream discards the bytes before the range (S227)", arguments: TestBackend.allCases)
  func theStartOfTheRangeOfAStream(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(3_000_000))
    let place = try AsyncPlace(backend, .stream, file.opened())
    #expect(try await place.channel.read(length: 100).count == 100)
    var bytes: [UInt8] = []
    for try await piece in place.channel.chunks(in: 1_500_000..<1_500_010) {
      bytes += [UInt8](piece)
    }
    #expect(bytes == pattern(10, from: 1_500_100))
    #expect([UInt8](try await place.channel.read(length: 5)) == pattern(5, from: 1_500_110))
    let reader = ChannelReader(place.channel, in: 5..<15)
    #expect([UInt8](try await reader.readAll()) == pattern(10, from: 1_500_120))
    for try await _ in place.channel.chunks(in: 5_000_000..<5_000_001) {
      Issue.record("a byte behind the end of the file")
    }
    var negative = place.channel.chunks(in: -1..<10).makeAsyncIterator()
    let error = await #expect(throws: IOChannelError.self) { try await negative.next() }
    #expect(error?.reason == .invalidArgument)
    await place.close()
  }

  @Test("A cancelled reader discards each byte once (S227)", arguments: TestBackend.allCases)
  func cancellationBeforeTheRange(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let place = try AsyncPlace(backend, .stream, ends.reading.borrowed.duplicate())
    let reader = ChannelReader(place.channel, in: 6..<100)
    _ = try ends.writing.borrowed.write(pattern(4), 0..<4)
    let task = Task { try await reader.read(exactly: 2) }
    while ends.reading.borrowed.waitUntilReadable(milliseconds: 0) { await Task.yield() }
    task.cancel()
    let error = await #expect(throws: IOChannelError.self) { try await task.value }
    #expect(error?.reason == .canceled)
    _ = try ends.writing.borrowed.write(pattern(4, from: 4), 0..<4)
    #expect([UInt8](try await reader.read(exactly: 2)) == pattern(2, from: 6))
    await place.close()
  }

  @Test("A loop that is left early loses no byte of a stream", arguments: TestBackend.allCases)
  func leavingALoopEarlyLosesNoByteOfAStream(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    _ = try ends.writing.borrowed.write(pattern(5), 0..<5)
    for try await piece in channel.chunks() {
      #expect([UInt8](piece) == pattern(5))
      break
    }
    _ = try ends.writing.borrowed.write(pattern(5, from: 5), 0..<5)
    #expect([UInt8](try await channel.read(length: 5)) == pattern(5, from: 5))
    channel.close()
    await trace.reach(1)
    _ = ends.reading.rawValue
  }

  @Test("A random channel prefetches one chunk", arguments: TestBackend.allCases)
  func aRandomChannelReadsOnePieceAhead(backend: TestBackend) async throws {
    if backend == .ring { try Need.ring.orSkip() }
    let file = try FileOfBytes(pattern(4_000_000))
    for (kind, count) in [(IOChannel.StreamType.random, 2), (.stream, 1)] {
      let descriptor = try file.opened()
      let kinds = RequestKinds()
      let engine = Engine(setting: backend.setting, observer: kinds)
      let trace = Trace()
      let channel = IOChannel(
        type: kind,
        fileDescriptor: descriptor.rawValue,
        engine: engine,
        queue: trace.queue,
        cleanupHandler: trace.cleanup()
      )
      var pieces = channel.chunks().makeAsyncIterator()
      #expect(try await pieces.next()?.isEmpty == false)
      // The loop has the first piece, and has not asked for the next one.
      #expect(kinds.all.count { $0 == .read } == count)
      #expect(try await pieces.next()?.isEmpty == false)
      channel.close()
      await trace.reach(1)
      #expect(engine.becomesIdle())
      _ = descriptor.rawValue
    }
  }

  @Test("A loop that is left early stops the prefetch", arguments: TestBackend.allCases)
  func aLoopThatIsLeftEarlyStopsReadingAhead(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(3_000_000))
    let place = try AsyncPlace(backend, .random, file.opened())
    for try await _ in place.channel.chunks() { break }
    // The cleanup waits for everything that is under way.
    await place.close()
  }

  @Test("A slow loop delays the peer", arguments: TestBackend.allCases)
  func aSlowLoopHoldsThePeerBack(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    #expect(fcntl(ends.writing.rawValue, F_SETFL, O_NONBLOCK) == 0)
    var pieces = channel.chunks(in: 0..<100_000_000).makeAsyncIterator()
    var sent = 0
    var received = 0
    let chunk = pattern(4096)
    // What nobody asks for stays with the peer: the pipe's 64 KiB and one piece at most.
    for _ in 0..<3 {
      while let count = try? ends.writing.borrowed.write(chunk, 0..<chunk.count) { sent += count }
      #expect(sent - received <= 65_536)
      received += try await pieces.next()?.count ?? 0
    }
    #expect(received > 0)
    channel.close()
    await trace.reach(1)
    _ = ends.reading.rawValue
  }

  @Test("An error ends a loop", arguments: TestBackend.allCases)
  func anErrorEndsALoop(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let place = try AsyncPlace(backend, .random, openFile(directory.path))
    var pieces = place.channel.chunks().makeAsyncIterator()
    let error = await #expect(throws: IOChannelError.self) { try await pieces.next() }
    #expect(error?.reason == .isDirectory)
    #expect(try await pieces.next() == nil)
    await place.close()
  }
}
