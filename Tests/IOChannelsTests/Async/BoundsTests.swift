import IOChannels
import IOChannelsTestSupport
import Testing

@Suite("Offsets and limits at the bounds of their types")
struct BoundsTests {
  @Test("A range may begin before the position and have no end", arguments: TestBackend.allCases)
  func aRangeMayBeginBeforeThePositionAndHaveNoEnd(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(5000))
    let descriptor = try file.opened()
    try descriptor.borrowed.setPosition(1000)
    let place = try AsyncPlace(backend, .random, descriptor)
    var bytes: [UInt8] = []
    for try await piece in place.channel.chunks(in: -900..<Int64.max) { bytes += [UInt8](piece) }
    #expect(bytes == pattern(4900, from: 100))
    await place.close()
  }

  @Test("A range without an end reaches the end of the file", arguments: TestBackend.allCases)
  func aRangeWithoutAnEnd(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(5000))
    let place = try AsyncPlace(backend, .random, file.opened(.readWrite))
    var bytes: [UInt8] = []
    for try await chunk in place.channel.chunks(in: 100...) { bytes += [UInt8](chunk) }
    #expect(bytes == pattern(4900, from: 100))
    let reader = ChannelReader(place.channel, in: 4990...)
    #expect([UInt8](try await reader.readAll()) == pattern(10, from: 4990))
    try await place.channel.advise(.willNeed, for: 100...)
    try await place.channel.writeBack(100...)
    await place.close()
  }

  @Test("Ranges beyond any file are errors", arguments: TestBackend.allCases)
  func rangesThatNoFileHasAreErrors(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(10))
    let place = try AsyncPlace(backend, .random, file.opened(.readWrite))
    var pieces = place.channel.chunks(in: Int64.min..<Int64.max).makeAsyncIterator()
    let reading = await #expect(throws: IOChannelError.self) { try await pieces.next() }
    #expect(reading?.reason == .invalidArgument)
    #expect(reading?.offset == .min)
    let writing = await #expect(throws: IOChannelError.self) {
      try await place.channel.withBufferedWriter(at: .max, capacity: 1) { writer in
        try await writer.append(DataBuffer(pattern(2)))
        try await writer.append(DataBuffer(pattern(2)))
      }
    }
    #expect(writing?.operation == .write)
    #expect(writing?.offset == .max)
    #expect(try file.bytes() == pattern(10))
    await place.close()
  }

  @Test("Lines may have no limit of length", arguments: TestBackend.allCases)
  func linesMayHaveNoLimit(backend: TestBackend) async throws {
    let file = try FileOfBytes(Array("ab\nc".utf8))
    let place = try AsyncPlace(backend, .random, file.opened())
    var counts: [Int] = []
    let reader = ChannelReader(place.channel, lineLimit: .max)
    for try await line in reader.lines { counts.append(line.count) }
    #expect(counts == [2, 1])
    await place.close()
  }
}
