import IOChannels
import IOChannelsTestSupport
import Testing

@Suite("Complete lines of a file that grows (S237)")
struct CompleteLineTests {
  /// A file, and a descriptor that appends to it.
  private struct Log: ~Copyable {
    let file: FileOfBytes
    let end: OwnedDescriptor

    init(_ text: String) throws {
      let file = try FileOfBytes(Array(text.utf8))
      end = try file.opened([.writeOnly, .append])
      self.file = file
    }

    func append(_ text: String) throws {
      let bytes = Array(text.utf8)
      let count = try end.borrowed.write(bytes, 0..<bytes.count)
      #expect(count == bytes.count)
    }
  }

  private func line(_ reader: ChannelReader) async throws -> String? {
    try await reader.readCompleteLine().map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    "An incomplete line is returned when its end has been written (S237)",
    arguments: TestBackend.allCases
  )
  func incomplete(backend: TestBackend) async throws {
    for kind in [IOChannel.StreamType.random, .stream] {
      let log = try Log("one\ntwo\r\nthr")
      let place = try AsyncPlace(backend, kind, log.file.opened())
      let reader = ChannelReader(place.channel)
      #expect(try await line(reader) == "one")
      #expect(try await line(reader) == "two")
      for _ in 0..<2 { #expect(try await line(reader) == nil) }
      try log.append("ee\n\nfour")
      #expect(try await line(reader) == "three")
      #expect(try await line(reader) == "")
      #expect(try await line(reader) == nil)
      // Another method returns the rest, and finds the end, which is then final.
      let rest = try await reader.readLine()
      #expect(rest == DataBuffer("four".utf8))
      #expect(try await reader.readLine() == nil)
      try log.append("\nfive\n")
      #expect(try await line(reader) == nil)
      await place.close()
    }
  }

  @Test(
    "A line is found that was appended after a chunk was read ahead (S237)",
    arguments: TestBackend.allCases
  )
  func afterReadingAhead(backend: TestBackend) async throws {
    let log = try Log("one\ntwo\n")
    let place = try AsyncPlace(backend, .random, log.file.opened())
    let reader = ChannelReader(place.channel)
    #expect(try await reader.readLine() == DataBuffer("one".utf8))
    // The read ahead has met the end when this returns.
    try await place.channel.synchronize()
    try log.append("three\n")
    #expect(try await line(reader) == "two")
    #expect(try await line(reader) == "three")
    #expect(try await line(reader) == nil)
    await place.close()
  }

  @Test(
    "A range may begin behind the end that a stream has now (S237)",
    arguments: TestBackend.allCases
  )
  func rangeBehindTheEnd(backend: TestBackend) async throws {
    let log = try Log("one\n")
    let place = try AsyncPlace(backend, .stream, log.file.opened())
    let reader = ChannelReader(place.channel, in: 8...)
    #expect(try await line(reader) == nil)
    try log.append("two\nthree\n")
    #expect(try await line(reader) == "three")
    await place.close()
  }

  @Test("A long line is an error and stays (S237)", arguments: TestBackend.allCases)
  func longLine(backend: TestBackend) async throws {
    let log = try Log("longer\n")
    let place = try AsyncPlace(backend, .random, log.file.opened())
    let reader = ChannelReader(place.channel, lineLimit: 5)
    for _ in 0..<2 {
      let error = await #expect(throws: IOChannelError.self) { try await line(reader) }
      #expect(error?.reason == .messageTooLong)
    }
    #expect(try await reader.read(upTo: 2) == DataBuffer("lo".utf8))
    #expect(try await line(reader) == "nger")
    await place.close()
  }
}
