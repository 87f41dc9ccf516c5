import IOChannels
import IOChannelsTestSupport
import Testing

/// Some of the tasks are cancelled. Every byte is accounted for.
@Suite("Many tasks on one channel")
struct TaskStormTests {
  /// What is moved; parts of it share its memory.
  private static let whole = DataBuffer(pattern(1_000_000))

  @Test("A thousand tasks read one channel", arguments: TestBackend.allCases)
  func aThousandTasksReadOneChannel(backend: TestBackend) async throws {
    let whole = Self.whole
    let file = try FileOfBytes([UInt8](whole))
    let place = try AsyncPlace(backend, .random, file.opened())
    let channel = place.channel
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<1000 {
        group.addTask {
          let bytes = try await channel.read(length: 1000, at: Int64(number) * 1000)
          #expect(bytes == whole.subdata(in: number * 1000..<number * 1000 + 1000))
        }
      }
      try await group.waitForAll()
    }
    await place.close()
  }

  @Test("A thousand tasks share a pipe", arguments: TestBackend.allCases)
  func aThousandTasksShareAPipe(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let reader = try backend.channel(.stream, ends.reading, trace)
    let writer = try backend.channel(.stream, ends.writing, trace)
    // More than half of a pipe, so that steps show that run into each other.
    let steps = (0..<250).map { DataBuffer([UInt8](repeating: UInt8($0), count: 36_000)) }
    let found = try await withThrowingTaskGroup(of: DataBuffer?.self) { group in
      for step in steps + steps {
        group.addTask {
          try await writer.write(step)
          return nil
        }
        group.addTask { try await reader.read(length: 36_000) }
      }
      return try await group.reduce(into: [DataBuffer]()) { found, step in
        if let step { found.append(step) }
      }
    }
    let order = found.sorted { $0[0] < $1[0] }
    #expect(order == steps.flatMap { [$0, $0] })
    reader.close()
    writer.close()
    await trace.reach(2)
    _ = ends.reading.rawValue
    _ = ends.writing.rawValue
  }

  @Test("Cancelled writes report the bytes that the pipe has", arguments: TestBackend.allCases)
  func whatCancelledWritesTellIsWhatThePipeHas(backend: TestBackend) async throws {
    var random = SeededGenerator()
    let ends = try PipeEnds()
    let trace = Trace()
    let reader = try backend.channel(.stream, ends.reading, trace)
    let writer = try backend.channel(.stream, ends.writing, trace)
    let received = Task { try await reader.readAll() }
    var expected = DataBuffer.empty
    for number in 0..<150 {
      let bytes = Self.whole.subdata(in: number..<number + random.number(in: 1..<200_000))
      let task = Task { try await writer.write(bytes) }
      if random.chance(percent: 60) {
        for _ in 0..<random.number(in: 0..<20) { await Task.yield() }
        task.cancel()
      }
      do {
        try await task.value
        expected.append(bytes)
      } catch {
        let error = try #require(error as? IOChannelError)
        #expect(error.reason == .canceled)
        #expect(error.transferredCount < bytes.count)
        expected.append(bytes.subdata(in: 0..<error.transferredCount))
      }
    }
    writer.close()
    await trace.reach(1)
    let reading = ends.closeWriting()
    #expect(try await received.value == expected)
    reader.close()
    await trace.reach(2)
    _ = reading.rawValue
  }

  /// Reads up to `count` bytes of a socket on a thread, and then resets its connection.
  private static func receive(_ count: Int, of number: Int32) throws -> Task<[UInt8], Never> {
    let (bytes, received) = AsyncStream.makeStream(of: [UInt8].self)
    try PlatformThread.start(name: "peer") {
      let socket = BorrowedDescriptor(rawValue: number)
      var (found, room) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
      while found.count < count, let more = try? socket.read(into: &room), more > 0 {
        found += room[..<more]
      }
      PipeEnds.reset(number)
      received.yield(found)
      received.finish()
    }
    return Task { await bytes.reduce(into: []) { $0 += $1 } }
  }

  @Test("Writes report the reset of their connection once", arguments: TestBackend.allCases)
  func resetConnections(backend: TestBackend) async throws {
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 40, full: 1000) {
      let ends = try PipeEnds(connection: ()).handedOut()
      let socket = OwnedDescriptor(owning: ends.writing)
      let parts = (0..<random.number(in: 1..<8)).map { _ in
        random.number(in: 1..<(random.chance(percent: 60) ? 5000 : 130_000))
      }
      // Some peers reset at once, and some read all bytes.
      let limit = random.number(in: 0..<3) * parts.reduce(0, +) / 2
      let received = try Self.receive(limit, of: ends.reading)
      let trace = Trace()
      let channel = try backend.channel(.stream, socket, trace)
      var start = 0
      for count in parts {
        let data = Self.whole.subdata(in: start..<start + count)
        channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
        start += count
        if random.chance(percent: 30) { await Task.yield() }
      }
      channel.close(flags: random.chance(percent: 30) ? .stop : [])
      await trace.reach { $0.entries.last == .cleanup }
      // A peer that waits for more bytes finds the end.
      try? socket.borrowed.shutDownWriting()
      let bytes = await received.value
      while try !socket.borrowed.readiness(.readable).contains(.hangUp) { await Task.yield() }
      let ended = trace.entries.filter(\.isDone)
      let errors = ended.map(\.error)
      let unwritten = zip(parts, ended).reduce(0) { $0 + min($1.0, $1.1.bytes ?? 0) }
      #expect(ended.count == parts.count)
      #expect(bytes.count <= start - unwritten)
      #expect(DataBuffer(bytes) == Self.whole.subdata(in: 0..<bytes.count))
      var room: [UInt8] = [0]
      let isLeft = Result { () throws(SystemError) in try socket.borrowed.read(into: &room) }
      let reported = errors.count { $0 == .connectionReset }
      #expect(reported + (isLeft == .failure(.connectionReset) ? 1 : 0) == 1, "\(errors)")
      // The reset ends the first write that meets it, and no write succeeds after an error.
      let failed = errors.drop { $0 == nil }
      #expect(!failed.contains(nil), "\(errors)")
      let lost = failed.drop { $0 == .connectionReset || $0 == .canceled }
      #expect(lost.allSatisfy { $0 == .brokenPipe || $0 == .canceled }, "\(errors)")
    }
  }

  @Test(
    "Reads that are cancelled at random return all of their bytes or none",
    arguments: TestBackend.allCases
  )
  func readsThatAreCancelledAtRandomGiveTheirBytesOrNone(backend: TestBackend) async throws {
    var random = SeededGenerator()
    let whole = Self.whole
    let file = try FileOfBytes([UInt8](whole))
    let place = try AsyncPlace(backend, .random, file.opened(.readWrite))
    let channel = place.channel
    for _ in 0..<10 {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<50 {
          let start = random.number(in: 0..<whole.count)
          let length = random.number(in: 0..<300_000)
          group.addTask {
            let end = min(start + length, whole.count)
            do throws(IOChannelError) {
              let found = try await channel.read(length: length, at: Int64(start))
              #expect(found == whole.subdata(in: start..<end))
            } catch {
              #expect(error.reason == .canceled)
              #expect(error.transferredCount <= length)
            }
          }
        }
        for _ in 0..<random.number(in: 0..<100) { await Task.yield() }
        group.cancelAll()
      }
    }
    await place.close()
  }

  @Test(
    "Iterators that are released leave a file that can be written",
    arguments: TestBackend.allCases
  )
  func iteratorsThatAreDroppedLeaveAFileThatCanBeWritten(backend: TestBackend) async throws {
    let file = try FileOfBytes([UInt8](repeating: 7, count: 4_500_000))
    let place = try AsyncPlace(backend, .random, file.opened(.readWrite))
    for taken in 0..<30 {
      var pieces = place.channel.chunks().makeAsyncIterator()
      for _ in 0..<(taken % 4) { _ = try await pieces.next() }
    }
    // It waits for all reads ahead.
    try await place.channel.truncate(toLength: 10)
    #expect(try file.bytes() == [UInt8](repeating: 7, count: 10))
    await place.close()
  }
}
