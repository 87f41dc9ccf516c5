import IOChannels
import IOChannelsTestSupport
import Testing

@Suite("Lines of channel readers (S171, S172)")
struct ChannelReaderTests {
  /// Reads so many bytes, however they arrive.
  private func body(of reader: ChannelReader, count: Int) async throws -> String? {
    var bytes = DataBuffer.empty
    while bytes.count < count {
      let part = try await reader.read(upTo: count - bytes.count)
      if part.isEmpty { break }
      bytes.append(part)
    }
    return text(bytes)
  }

  @Test("A loop that is left loses no byte", arguments: TestBackend.allCases)
  func leavingALoopLosesNothing(backend: TestBackend) async throws {
    let place = try PipeReader(backend)
    try place.write("a: 1\r\nb: 2\r\n\r\nbody\nc: 3\n\nrest")
    var lines: [String?] = []
    for try await line in place.reader.lines {
      if line.isEmpty { break }
      lines.append(text(line))
    }
    #expect(lines == ["a: 1", "b: 2"])
    #expect(try await body(of: place.reader, count: 5) == "body\n")
    for try await line in place.reader.lines {
      if line.isEmpty { break }
      lines.append(text(line))
    }
    #expect(lines == ["a: 1", "b: 2", "c: 3"])
    try place.write(" of\nit\nend")
    #expect(text(try await place.reader.readLine()) == "rest of")
    #expect(text(try await place.reader.readLine()) == "it")
    #expect(try await body(of: place.reader, count: 3) == "end")
    await place.close()
  }

  @Test("The lines are those of the complete text", arguments: TestBackend.allCases)
  func linesAreThoseOfTheWhole(backend: TestBackend) async throws {
    let ends = try PipeEnds()
    let trace = Trace()
    let channel = try backend.channel(.stream, ends.reading, trace)
    let euro = Array("€".utf8)
    let parts =
      ["one\ntw", "o\r", "\n\nfour", " \rfour\n"].map { Array($0.utf8) }
      + [Array(euro[..<1]), Array(euro[1...]), Array("\nlast".utf8)]
    async let found = { () async throws in
      var lines: [String] = []
      for try await line in ChannelReader(channel).lines {
        lines.append(String(decoding: line, as: UTF8.self))
      }
      return lines
    }()
    for part in parts {
      _ = try ends.writing.borrowed.write(part, 0..<part.count)
      await Task.yield()
    }
    let reading = ends.closeWriting()
    #expect(try await found == ["one", "two", "", "four \rfour", "€", "last"])
    channel.close()
    await trace.reach(1)
    _ = reading.rawValue
  }

  @Test("A line beyond the limit is an error, and its bytes stay", arguments: TestBackend.allCases)
  func aLineBeyondTheLimitIsAnErrorAndStays(backend: TestBackend) async throws {
    let file = try FileOfBytes(Array("ab\nabcd\r\nabcde\nx\n".utf8))
    let place = try AsyncPlace(backend, .random, file.opened())
    let reader = ChannelReader(place.channel, lineLimit: 4)
    var lines = reader.lines.makeAsyncIterator()
    #expect(try await lines.next()?.count == 2)
    #expect(try await lines.next()?.count == 4)
    for _ in 0..<2 {
      let error = await #expect(throws: IOChannelError.self) { try await reader.readLine() }
      #expect(error?.reason == .messageTooLong)
      #expect(error?.offset == 9)
    }
    // A loop is over after an error, the reader is not.
    await #expect(throws: IOChannelError.self) { try await lines.next() }
    #expect(try await lines.next() == nil)
    #expect(try await body(of: reader, count: 6) == "abcde\n")
    #expect(text(try await reader.readLine()) == "x")
    #expect(try await reader.readLine() == nil)
    #expect(try await reader.read(upTo: 1).isEmpty)
    await place.close()
  }

  @Test("A line without end is refused at the limit", arguments: TestBackend.allCases)
  func aLineWithoutEndIsRefusedAtTheLimit(backend: TestBackend) async throws {
    let place = try PipeReader(backend, lineLimit: 4)
    try place.write("abcdef")
    let error = await #expect(throws: IOChannelError.self) { try await place.reader.readLine() }
    #expect(error?.reason == .messageTooLong)
    #expect(try await body(of: place.reader, count: 6) == "abcdef")
    await place.close()
  }

  @Test("A cancelled call loses nothing", arguments: TestBackend.allCases)
  func aCancelledCallLosesNothing(backend: TestBackend) async throws {
    let place = try PipeReader(backend)
    try place.write("par")
    for part in ["t o", "f a", " line\n"] {
      let reader = place.reader
      let task = Task { try await reader.readLine() }
      task.cancel()
      let error = await #expect(throws: IOChannelError.self) { try await task.value }
      #expect(error?.reason == .canceled)
      try place.write(part)
    }
    #expect(text(try await place.reader.readLine()) == "part of a line")
    await place.close()
  }

  @Test("A call that has read a part keeps it when cancelled", arguments: TestBackend.allCases)
  func aCallThatHasReadAPartKeepsItWhenCancelled(backend: TestBackend) async throws {
    let place = try PipeReader(backend)
    let reader = place.reader
    let task = Task { try await reader.readLine() }
    try place.write("part")
    // The reader then has the bytes, and waits for the end of the line.
    await place.waitUntilEmpty()
    task.cancel()
    let error = await #expect(throws: IOChannelError.self) { try await task.value }
    #expect(error?.reason == .canceled)
    #expect(try await body(of: reader, count: 4) == "part")
    await place.close()
  }

  @Test("The range of a random channel is respected", arguments: TestBackend.allCases)
  func theRangeOfARandomChannelIsKept(backend: TestBackend) async throws {
    let file = try FileOfBytes(Array("one\ntwo\nthree\nfour\n".utf8))
    let place = try AsyncPlace(backend, .random, file.opened())
    let reader = ChannelReader(place.channel, in: 4..<16)
    #expect(text(try await reader.readLine()) == "two")
    #expect(try await body(of: reader, count: 2) == "th")
    #expect(text(try await reader.readLine()) == "ree")
    #expect(text(try await reader.readLine()) == "fo")
    #expect(try await reader.readLine() == nil)
    #expect(try await reader.read(upTo: 10).isEmpty)
    await place.close()
  }

  @Test("Any mixture of calls returns the bytes in order", arguments: TestBackend.allCases)
  func anyMixtureOfCallsGivesTheBytesInOrder(backend: TestBackend) async throws {
    var random = SeededGenerator(for: "lines \(backend)")
    let bytes = (0..<400_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let file = try FileOfBytes(bytes.map { $0 == 13 ? 14 : $0 })
    for kind in [IOChannel.StreamType.random, .stream] {
      let place = try AsyncPlace(backend, kind, file.opened())
      let reader = ChannelReader(place.channel)
      var found: [UInt8] = []
      while true {
        if Bool.random(using: &random) {
          guard let line = try await reader.readLine() else { break }
          found += [UInt8](line) + [10]
        } else {
          let limit = Int.random(in: 1...3000, using: &random)
          let part = try await reader.read(upTo: limit)
          #expect(part.count <= limit)
          found += [UInt8](part)
        }
      }
      // The last line had no end, unless its bytes were read without one.
      let expected = try file.bytes()
      #expect(found == expected || found == expected + [10])
      await place.close()
    }
  }

  @Test("Two calls at once stop the program")
  func twoCallsAtOnceEndTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let ends = try PipeEnds()
      let channel = IOChannel(
        type: .stream,
        fileDescriptor: ends.reading.rawValue,
        queue: .global()
      ) { _ in }
      let reader = ChannelReader(channel)
      async let first = reader.readLine()
      async let second = reader.readLine()
      _ = try await (first, second)
      _ = ends.writing.rawValue
    }
    expectMessage("Fatal error: A reader serves one call at a time. (S172)\n", from: result)
  }
}
