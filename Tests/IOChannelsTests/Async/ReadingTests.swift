import IOChannels
import IOChannelsTestSupport
import Testing

@Suite("Reads that a task awaits")
struct ReadingTests {
  @Test("Reads of a random channel count from the position", arguments: TestBackend.allCases)
  func readsOfARandomChannelCountFromThePosition(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(3_000_000))
    let descriptor = try file.opened()
    try descriptor.borrowed.setPosition(1000)
    let place = try AsyncPlace(backend, .random, descriptor)
    #expect([UInt8](try await place.channel.read(length: 10, at: 5)) == pattern(10, from: 1005))
    let rest = try await place.channel.readAll(at: 500_000)
    #expect([UInt8](rest) == pattern(3_000_000 - 501_000, from: 501_000))
    #expect(try await place.channel.read(length: 1, at: 3_000_000).isEmpty)
    #expect(try place.descriptor.borrowed.position() == 1000)
    await place.close()
  }

  @Test("Reads of a stream move the position", arguments: TestBackend.allCases)
  func readsOfAStreamMoveThePosition(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(100))
    let place = try AsyncPlace(backend, .stream, file.opened())
    #expect([UInt8](try await place.channel.read(length: 30)) == pattern(30))
    #expect([UInt8](try await place.channel.read(length: 500)) == pattern(70, from: 30))
    #expect(try place.descriptor.borrowed.position() == 100)
    #expect(try await place.channel.read(length: 500).isEmpty)
    await place.close()
  }

  @Test("A read of available bytes waits only for the first one", arguments: TestBackend.allCases)
  func aReadOfWhatIsThereWaitsOnlyForTheFirstByte(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    _ = try ends.writing.borrowed.write(pattern(7), 0..<7)
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace, wholeTransfers: true)
    #expect([UInt8](try await channel.read(upTo: 100)) == pattern(7))
    async let later = channel.read(upTo: 3)
    _ = try ends.writing.borrowed.write(pattern(7, from: 7), 0..<7)
    #expect([UInt8](try await later) == pattern(3, from: 7))
    #expect([UInt8](try await channel.read(length: 4)) == pattern(4, from: 10))
    let reading = ends.closeWriting()
    #expect(try await channel.read(upTo: 1).isEmpty)
    channel.close()
    await trace.reach(1)
    _ = reading.rawValue
  }

  @Test(
    "Memory of the caller is filled after its initialized part",
    arguments: TestBackend.allCases
  )
  func memoryOfTheCallerIsFilledBehindWhatItHas(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(5000))
    let place = try AsyncPlace(backend, .random, file.opened())
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 4002, alignment: 1)
    defer { unsafe room.deallocate() }
    var output = unsafe OutputRawSpan(buffer: room, initializedCount: 0)
    output.append(1)
    output.append(2)
    let count = try await place.channel.read(into: &output, at: 2000)
    #expect(count == 3000)
    #expect(output.byteCount == 3002)
    // Without an offset the next read continues (S235).
    let next = try await place.channel.read(into: &output)
    #expect(next == 1000)
    #expect([UInt8](try await place.channel.read(length: 5)) == pattern(5, from: 1000))
    let length = unsafe output.finalize(for: room)
    #expect(unsafe [UInt8](room[..<length]) == [1, 2] + pattern(3000, from: 2000) + pattern(1000))
    await place.close()
  }

  @Test(
    "An exact number of bytes is read completely, or is an error (S239)",
    arguments: TestBackend.allCases
  )
  func exactNumber(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(100))
    for kind in [IOChannel.StreamType.random, .stream] {
      let place = try AsyncPlace(backend, kind, file.opened())
      let channel = place.channel
      #expect([UInt8](try await channel.read(exactly: 60)) == pattern(60))
      #expect(try await channel.read(exactly: 0).isEmpty)
      let error = await #expect(throws: IOChannelError.self) {
        try await channel.read(exactly: 41)
      }
      #expect(error?.reason == .noData)
      #expect(error?.transferredCount == 40)
      #expect(error?.offset == (kind == .random ? 60 : nil))
      #expect(try await channel.read(upTo: 1).isEmpty)
      if kind == .random {
        #expect([UInt8](try await channel.read(exactly: 100, at: 0)) == pattern(100))
      }
      await place.close()
    }
  }

  @Test("A channel has the lines of a new reader (S239)", arguments: TestBackend.allCases)
  func lines(backend: TestBackend) async throws {
    let file = try FileOfBytes(Array("one\r\ntwo\nthree".utf8))
    let place = try AsyncPlace(backend, .random, file.opened())
    for _ in 0..<2 {
      var lines: [String] = []
      for try await line in place.channel.stringLines { lines.append(line) }
      #expect(lines == ["one", "two", "three"])
    }
    var counts: [Int] = []
    for try await line in place.channel.lines { counts.append(line.count) }
    #expect(counts == [3, 3, 5])
    await place.close()
  }

  @Test("A file beyond the limit is an error", arguments: TestBackend.allCases)
  func moreThanTheLimitIsAnError(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(5000))
    let place = try AsyncPlace(backend, .random, file.opened())
    #expect(try await place.channel.readAll(limit: 5000).count == 5000)
    let error = await #expect(throws: IOChannelError.self) {
      try await place.channel.readAll(at: 0, limit: 4999)
    }
    #expect(error?.reason == .fileTooLarge)
    await place.close()
  }

  @Test("An error names operation, file, offset and reason", arguments: TestBackend.allCases)
  func anErrorNamesOperationFileOffsetAndReason(backend: TestBackend) async throws {
    let file = try FileOfBytes([])
    let place = try AsyncPlace(backend, .random, file.opened(.writeOnly))
    let number = place.descriptor.rawValue
    let error = await #expect(throws: IOChannelError.self) {
      try await place.channel.read(length: 1, at: 70)
    }
    #expect(error?.reason == .badFileDescriptor)
    #expect(error?.operation == .read)
    #expect(error?.file == .descriptor(number))
    #expect(error?.offset == 70)
    let hint = "The descriptor must be open, for reading."
    #expect(
      error?.description
        == "read of descriptor \(number) at offset 70: Bad file descriptor (\(hint))"
    )
    #expect(error?.hint == hint)
    await place.close()
  }

  @Test("A closed channel returns ECANCELED", arguments: TestBackend.allCases)
  func aClosedChannelAnswersCanceled(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(10))
    let place = try AsyncPlace(backend, .stream, file.opened())
    place.channel.close()
    let error = await #expect(throws: IOChannelError.self) {
      try await place.channel.read(length: 1)
    }
    #expect(error?.reason == .canceled)
    #expect(error?.offset == nil)
    await place.close()
  }
}
