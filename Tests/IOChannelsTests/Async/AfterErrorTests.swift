import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@Suite("Readers and writers after an error (S156)")
struct AfterErrorTests {
  @Test("The bytes before an error are not a line", arguments: TestBackend.allCases)
  func theBytesBeforeAnErrorAreNotTakenForALine(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    let text = Array("whole\npart".utf8)
    _ = try ends.writing.borrowed.write(text, 0..<text.count)
    let reader = ChannelReader(channel)
    var lines = reader.lines.makeAsyncIterator()
    #expect(try await lines.next().map { [UInt8]($0) } == Array("whole".utf8))
    channel.close(flags: .stop)
    let error = await #expect(throws: IOChannelError.self) { try await lines.next() }
    #expect(error?.reason == .canceled)
    #expect(try await lines.next() == nil)
    // Nor are they taken for one later.
    await #expect(throws: IOChannelError.self) { try await reader.readLine() }
    await trace.reach(1)
    _ = ends.reading.rawValue
  }

  @Test("A writer that has thrown writes nothing after the gap", arguments: TestBackend.allCases)
  func aWriterThatHasThrownWritesNothingBehindTheGap(backend: TestBackend) async throws {
    let file = try FileOfBytes([])
    let place = try AsyncPlace(backend, .random, file.opened())
    let bytes = DataBuffer(pattern(10))
    let error = await #expect(throws: IOChannelError.self) {
      try await place.channel.withBufferedWriter(at: 3, capacity: 10) { writer in
        try await writer.append(bytes)
        for _ in 0..<3 {
          do throws(IOChannelError) {
            try await writer.flush()
            Issue.record("a failed write looks like a good one")
          } catch {
            #expect(error.offset == 3)
          }
        }
        // The function says that all is well.
      }
    }
    #expect(error?.reason == .badFileDescriptor)
    #expect(error?.offset == 3)
    await place.close()
  }

  @Test("A writer that was cancelled keeps the prefix only", arguments: TestBackend.allCases)
  func aWriterThatWasCancelledKeepsThePrefixOnly(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.writing, trace)
    let reader = try backend.channel(.stream, ends.reading, Trace())
    let data = DataBuffer(pattern(1 << 20))
    let task = Task {
      try await channel.withBufferedWriter(capacity: 50_000) { writer in
        for start in stride(from: 0, to: data.count, by: 10_000) {
          let end = min(start + 10_000, data.count)
          // It tries to go on behind the error.
          try? await writer.append(data.subdata(in: start..<end))
        }
      }
    }
    #expect(try await reader.read(length: 1).count == 1)
    task.cancel()
    let error = await #expect(throws: IOChannelError.self) { try await task.value }
    #expect(error?.reason == .canceled)
    channel.close()
    await trace.reach(1)
    let reading = ends.closeWriting()
    let rest = try await reader.readAll()
    #expect(rest == data.subdata(in: 1..<(1 + rest.count)))
    #expect(rest.count < data.count - 1)
    reader.close()
    _ = reading.rawValue
  }

  @Test("An error of a truncation names the missing right")
  func anErrorOfTruncatingSaysWhatIsMissing() async throws {
    let file = try FileOfBytes(pattern(10))
    let place = try AsyncPlace(.threads, .random, file.opened())
    let hint = "The descriptor must be open, for writing."
    let cut = await #expect(throws: IOChannelError.self) {
      try await place.channel.truncate(toLength: 1)
    }
    #expect(cut?.reason == .invalidArgument)
    #expect(cut?.hint?.contains("open for writing") == true)
    let reserved = await #expect(throws: IOChannelError.self) {
      try await place.channel.allocate(0..<10)
    }
    #expect(reserved?.reason == .badFileDescriptor)
    #expect(reserved?.hint == hint)
    let large = await #expect(throws: IOChannelError.self) {
      try await place.channel.readAll(limit: 9)
    }
    #expect(large?.hint == "The file has more bytes than the limit that was given.")
    await place.close()
  }
}
