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
