import DataRegions
import Glibc
import IOChannelsEngine
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannels

@Suite("Copies of the chunks of a random channel (S248)")
struct ChunkCopyTests {
  @Test("Ranges are copied to any offset, as chunk by chunk", arguments: TestBackend.allCases)
  func ranges(backend: TestBackend) async throws {
    let bytes = pattern(1_200_000)
    let source = try FileOfBytes(bytes)
    let from = try AsyncPlace(backend, .random, source.opened())
    let input = from.channel
    let ranges: [Range<Int64>] = [
      0..<0, 5..<5, 0..<1, 7..<70_000, 100_000..<1_200_000, 1_199_999..<9_000_000,
      1_200_000..<1_200_001, 0..<(.max),
    ]
    for range in ranges {
      let found = bytes.dropFirst(Int(range.lowerBound)).prefix(range.count)
      for offset in [nil, 0, 10] as [Int64?] {
        let target = try FileOfBytes([])
        let to = try AsyncPlace(backend, .random, target.opened(.writeOnly))
        let output = to.channel
        let count = try await output.writeAll(input.chunks(in: range), at: offset)
        #expect(count == found.count, "\(range)")
        // Without an offset, the next call continues there.
        try await output.write(DataBuffer([1]))
        let bytes = try target.bytes()
        let start = Int(offset ?? 0)
        let ending: [UInt8] = offset == nil ? [1] : []
        if offset == 0 {
          // The last write replaced the first byte.
          let replaced: [UInt8] = [1] + Array(found.dropFirst())
          #expect(bytes == replaced, "\(range)")
        } else {
          #expect(bytes.dropFirst(start) == (found + ending)[...], "\(range)")
        }
        await to.close()
      }
    }
    await from.close()
  }

  @Test("Relays of 64 MiB copy a long file", arguments: TestBackend.allCases)
  func long(backend: TestBackend) async throws {
    let file = try FileOfBytes([])
    let length = IOChannel.relayedLimit + 3_000_001
    try runSuccessfully(["truncate", "-s", "\(length)", file.path])
    let ends = [0, IOChannel.relayedLimit - 5, length - 10]
    let source = try AsyncPlace(backend, .random, file.opened(.readWrite))
    let input = source.channel
    for start in ends { try await input.write(DataBuffer(pattern(10)), at: Int64(start)) }
    let target = try FileOfBytes([])
    let destination = try AsyncPlace(backend, .random, target.opened(.writeOnly))
    let output = destination.channel
    #expect(try await output.copyByRelays(0..<(.max), of: input, at: nil) == Int64(length))
    try runSuccessfully(["cmp", file.path, target.path])
    // The position is at the end, where the first 64 MiB follow.
    let first = Int64(IOChannel.relayedLimit)
    #expect(try await output.writeAll(input.chunks(in: 0..<first)) == first)
    let ending = try await input.read(length: 10, at: Int64(ends[1]))
    #expect([UInt8](ending) == pattern(10))
    await source.close()
    await destination.close()
    try runSuccessfully(["cmp", "-n", "\(first)", "-i", "0:\(length)", file.path, target.path])
  }

  @Test("A full pipe does not hold up the source", arguments: TestBackend.allCases)
  func pipe(backend: TestBackend) async throws {
    let bytes = DataBuffer(pattern(500_000))
    let source = try FileOfBytes([UInt8](bytes))
    let from = try AsyncPlace(backend, .random, source.opened())
    let ends = try PipeEnds()
    let (input, trace) = (from.channel, Trace())
    let output = try backend.channel(.stream, ends.writing, Trace())
    let drain = try backend.channel(.stream, ends.reading, Trace())
    async let copied = output.writeAll(input.chunks())
    #expect(try await drain.read(length: 1) == bytes.subdata(in: 0..<1))
    input.barrier { trace.add(.mark("barrier")) }
    _ = await trace.entries(1)
    #expect(try await drain.read(length: 499_999) == bytes.subdata(in: 1..<bytes.count))
    let count = try await copied
    #expect(count == Int64(bytes.count))
    for channel in [output, drain] { try await channel.closeAndCleanUp() }
    await from.close()
    _ = (ends.reading.rawValue, ends.writing.rawValue)
  }

  @Test(
    "Within one descriptor the bytes are copied chunk by chunk",
    arguments: TestBackend.allCases
  )
  func chunkByChunk(backend: TestBackend) async throws {
    let bytes = pattern(1_200_000)
    let file = try FileOfBytes(bytes)
    let place = try AsyncPlace(backend, .random, file.opened(.readWrite))
    let channel = place.channel
    let chunks = channel.chunks(in: 0..<1_200_000)
    #expect(try await channel.writeAll(chunks, at: 1_200_000) == 1_200_000)
    #expect(try file.bytes() == bytes + bytes)
    // Two channels of one descriptor have one order.
    let sibling = try backend.channel(.random, place.descriptor, Trace())
    #expect(try await sibling.writeAll(channel.chunks(in: 3..<8), at: 1) == 5)
    #expect(try file.bytes()[1..<6] == bytes[3..<8])
    sibling.close()
    // A second descriptor of the file, one for appends, and a limit of chunks.
    let again = try AsyncPlace(backend, .random, file.opened(.readWrite))
    let appending = try AsyncPlace(backend, .random, FileOfBytes([]).opened([.writeOnly, .append]))
    let other = try AsyncPlace(backend, .random, FileOfBytes([]).opened(.writeOnly))
    #expect(try await again.channel.copyByRelays(0..<5, of: channel, at: 0) == nil)
    #expect(try await appending.channel.copyByRelays(0..<5, of: channel, at: 0) == nil)
    #expect(try await other.channel.copyByRelays(0..<5, of: channel, at: 0) == 5)
    other.channel.setLimit(highWater: 4096)
    #expect(try await other.channel.copyByRelays(0..<5, of: channel, at: 0) == nil)
    for channel in [again.channel, appending.channel, other.channel] {
      try await channel.closeAndCleanUp()
    }
    await place.close()
  }

  @Test("A file is not truncated before the source is read", arguments: TestBackend.allCases)
  func unopened(backend: TestBackend) async throws {
    let old = try FileOfBytes(pattern(100))
    let engine = try backend.makeEngine()
    func channel(_ path: String, _ flags: Int32) throws -> IOChannel {
      let channel = IOChannel(
        type: .random,
        path: BytePath(path),
        oflag: flags,
        mode: 0,
        engine: engine,
        queue: .global(),
        cleanupHandler: { _ in }
      )
      return try #require(channel)
    }
    let missing = try channel(old.directory("missing"), O_RDONLY)
    let output = try channel(old.path, O_WRONLY | O_TRUNC)
    let error = await #expect(throws: IOChannelError.self) {
      try await output.writeAll(missing.chunks())
    }
    #expect(error?.operation == .read && error?.reason == .noSuchFileOrDirectory)
    #expect(try old.bytes() == pattern(100))
    for channel in [missing, output] { channel.close() }
  }

  @Test("Direct I/O is copied chunk by chunk", arguments: TestBackend.real)
  func direct(backend: TestBackend) async throws {
    let bytes = pattern(1_200_000)
    let file = try FileOfBytes(bytes)
    guard let opened = try? file.opened([.readOnly, .direct]) else {
      try Test.cancel("the file system has no direct I/O")
    }
    let from = try AsyncPlace(backend, .random, opened)
    let target = try FileOfBytes([])
    let to = try AsyncPlace(backend, .random, target.opened(.writeOnly))
    #expect(try await to.channel.writeAll(from.channel.chunks()) == 1_200_000)
    #expect(try target.bytes() == bytes)
    await from.close()
    await to.close()
  }

  @Test("An error has the channel, the offset and the count", arguments: TestBackend.allCases)
  func errors(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(300_000))
    let readable = try AsyncPlace(backend, .random, file.opened())
    let other = try FileOfBytes([])
    let writable = try AsyncPlace(backend, .random, other.opened(.writeOnly))
    let (input, output) = (readable.channel, writable.channel)
    func error(_ body: () async throws -> Int64) async -> IOChannelError? {
      await #expect(throws: IOChannelError.self) { _ = try await body() }
    }
    let unreadable = await error { try await output.writeAll(output.chunks(in: 2..<9), at: 50) }
    #expect(unreadable?.operation == .read && unreadable?.reason == .badFileDescriptor)
    let third = try AsyncPlace(backend, .random, FileOfBytes([]).opened(.writeOnly))
    let source = third.channel
    let foreign = await error { try await output.writeAll(source.chunks(in: 2..<9), at: 50) }
    #expect(foreign?.operation == .read && foreign?.reason == .badFileDescriptor)
    #expect(foreign?.offset == 2 && foreign?.transferredCount == 0)
    let readOnly = try AsyncPlace(backend, .random, other.opened())
    let target = readOnly.channel
    let refused = await error { try await target.writeAll(input.chunks(in: 4..<9), at: 50) }
    #expect(refused?.operation == .write && refused?.reason == .badFileDescriptor)
    #expect(refused?.offset == 50 && refused?.transferredCount == 0)
    let negative = await error { try await output.writeAll(input.chunks(in: -3..<9)) }
    #expect(negative?.operation == .read && negative?.reason == .invalidArgument)
    let beyond = await error { try await output.writeAll(input.chunks(), at: .max) }
    #expect(beyond?.operation == .write && beyond?.offset == .max)
    // The position has not moved.
    #expect(try await output.writeAll(input.chunks(in: 0..<3)) == 3)
    #expect(try other.bytes() == pattern(3))
    await readOnly.close()
    await third.close()
    await writable.close()
    await readable.close()
  }

  @Test("The bytes before a failed read are written", .needs(.fuse), arguments: TestBackend.real)
  func failedRead(backend: TestBackend) async throws {
    let faulty = try FaultFileSystem()
    let bytes = pattern(1_000_000)
    let file = try FileOfBytes(bytes)
    try runSuccessfully(["cp", file.path, "\(faulty.behind)/file"])
    try faulty.setRules("read file 1+ errno 5 600000 600001")
    let from = try AsyncPlace(backend, .random, openFile("\(faulty.path)/file"))
    let target = try FileOfBytes([])
    let to = try AsyncPlace(backend, .random, target.opened(.writeOnly))
    let (input, output) = (from.channel, to.channel)
    let error = await #expect(throws: IOChannelError.self) {
      try await output.writeAll(input.chunks(in: 1..<1_000_000))
    }
    #expect(error?.operation == .read && error?.reason == .ioError && error?.offset == 1)
    let count = error?.transferredCount ?? 0
    #expect(count > 0 && count < 999_999)
    #expect(try target.bytes() == Array(bytes[1..<1 + count]))
    try await output.write(DataBuffer([9]))
    #expect(try target.bytes().count == count + 1)
    await from.close()
    await to.close()
  }

  @Test("A cancelled copy has the number of its bytes", arguments: TestBackend.allCases)
  func cancellation(backend: TestBackend) async throws {
    let file = try FileOfBytes([])
    try runSuccessfully(["truncate", "-s", "30000000", file.path])
    let from = try AsyncPlace(backend, .random, file.opened())
    let input = from.channel
    for yields in [0, 1, 10, 100, 1000] {
      let target = try FileOfBytes([])
      let to = try AsyncPlace(backend, .random, target.opened(.writeOnly))
      let output = to.channel
      let copy = Task { try await output.writeAll(input.chunks()) }
      for _ in 0..<yields { await Task.yield() }
      copy.cancel()
      let copied: Int
      do {
        copied = Int(try await copy.value)
      } catch let error as IOChannelError {
        #expect(error.isCancellation)
        copied = Int(error.offset ?? 0) + error.transferredCount
      }
      #expect(try target.bytes().count <= copied + 1_000_000)
      // The channels go on.
      try await output.write(DataBuffer([5]), at: 0)
      #expect(try await input.read(length: 2, at: 3).count == 2)
      await to.close()
    }
    await from.close()
  }
}
