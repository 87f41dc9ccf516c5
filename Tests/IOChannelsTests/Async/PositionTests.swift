import IOChannels
import IOChannelsTestSupport
import Testing

@Suite("Calls without an offset (S235)")
struct PositionTests {
  @Test("Writes without an offset follow one another (S235)", arguments: TestBackend.allCases)
  func writes(backend: TestBackend) async throws {
    let file = try FileOfBytes([])
    let place = try AsyncPlace(backend, .random, file.opened(.readWrite))
    let channel = place.channel
    try await channel.write(DataBuffer(pattern(1000)))
    // A write with an offset does not move the position.
    try await channel.write(DataBuffer(pattern(10)), at: 300_000)
    try await channel.write(DataBuffer(pattern(100_000, from: 1000)))
    let buffers = AsyncStream<DataBuffer> { continuation in
      for start in [101_000, 102_000] {
        continuation.yield(DataBuffer(pattern(1000, from: start)))
      }
      continuation.finish()
    }
    #expect(try await channel.writeAll(buffers) == 2000)
    try await channel.withBufferedWriter(capacity: 100) { writer in
      for start in stride(from: 103_000, to: 110_000, by: 70) {
        try await writer.append(DataBuffer(pattern(70, from: start)))
      }
    }
    try await channel.write(DataBuffer(pattern(5, from: 110_000)))
    #expect(try Array(file.bytes().prefix(110_005)) == pattern(110_005))
    // Reads and writes have one position, which is in the gap now.
    #expect([UInt8](try await channel.read(length: 3)) == [0, 0, 0])
    await place.close()
  }

  @Test(
    "A loop of reads without an offset ends with the file (S235)",
    arguments: TestBackend.allCases
  )
  func reads(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(50_000))
    let descriptor = try file.opened()
    try descriptor.borrowed.setPosition(100)
    let place = try AsyncPlace(backend, .random, descriptor)
    let channel = place.channel
    #expect([UInt8](try await channel.read(length: 20)) == pattern(20, from: 100))
    var bytes: [UInt8] = []
    while bytes.count <= 50_000 {
      let part = try await channel.read(upTo: 7000)
      if part.isEmpty { break }
      bytes += [UInt8](part)
      // Calls with an offset, sequences and readers do not move the position.
      #expect([UInt8](try await channel.read(length: 9, at: 3)) == pattern(9, from: 103))
      for try await chunk in channel.chunks(in: 0..<5) {
        #expect([UInt8](chunk) == pattern(chunk.count, from: 100))
        break
      }
      #expect([UInt8](try await ChannelReader(channel).read(exactly: 5)) == pattern(5, from: 100))
    }
    #expect(bytes == pattern(49_880, from: 120))
    #expect(try await channel.readAll().isEmpty)
    #expect(try place.descriptor.borrowed.position() == 100)
    await place.close()
  }

  @Test(
    "A failed read moves the position behind the bytes that it has read (S235)",
    arguments: TestBackend.allCases
  )
  func failedRead(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(100))
    let place = try AsyncPlace(backend, .random, file.opened())
    let channel = place.channel
    #expect([UInt8](try await channel.read(length: 10)) == pattern(10))
    let error = await #expect(throws: IOChannelError.self) { try await channel.readAll(limit: 20) }
    #expect(error?.reason == .fileTooLarge)
    #expect(error?.offset == 10)
    #expect([UInt8](try await channel.read(length: 3)) == pattern(3, from: 31))
    await place.close()
  }

  /// Writes so many bytes, at once or in steps.
  private func fill(_ channel: IOChannel, _ size: Int, inSteps: Bool) async throws {
    if !inSteps { return try await channel.write(DataBuffer(pattern(size))) }
    try await channel.withBufferedWriter(capacity: 10_000) { writer in
      for start in stride(from: 0, to: size, by: 10_000) {
        try await writer.append(DataBuffer(pattern(10_000, from: start)))
      }
    }
  }

  @Test(
    "A failed write moves the position behind the bytes that it has written (S235)",
    .needs(.root),
    arguments: TestBackend.allCases,
    [false, true]
  )
  func failedWrite(backend: TestBackend, inSteps: Bool) async throws {
    let size = 1_000_000
    let system = try MemoryFileSystem(kibibytes: 100)
    let descriptor = try openFile("\(system.path)/file", [.readWrite, .create])
    let place = try AsyncPlace(backend, .random, descriptor)
    let channel = place.channel
    let error = await #expect(throws: IOChannelError.self) {
      try await fill(channel, size, inSteps: inSteps)
    }
    #expect(error?.reason == .noSpace)
    let written = Int(error?.offset ?? 0) + (error?.transferredCount ?? 0)
    #expect(written > 0 && written < size)
    // The hole behind the bytes needs no space.
    try await channel.truncate(toLength: Int64(size))
    #expect(try await channel.readAll().count == size - written)
    await place.close()
    #expect(try runSuccessfully(["ls", "-A", system.path]) == "file\n")
  }
}
