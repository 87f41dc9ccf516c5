import IOChannels
import IOChannelsTestSupport
import Testing

@Suite("Bytes one by one, and all bytes, of channel readers (S224)")
struct ReaderBytesTests {
  @Test("A loop over bytes that is left loses none", arguments: TestBackend.allCases)
  func leavingALoop(backend: TestBackend) async throws {
    let place = try PipeReader(backend)
    try place.write("head;line\nnext;rest")
    var head = ""
    for try await byte in place.reader.bytes {
      if byte == UInt8(ascii: ";") { break }
      head.unicodeScalars.append(Unicode.Scalar(byte))
    }
    #expect(head == "head")
    #expect(text(try await place.reader.readLine()) == "line")
    for try await byte in place.reader.bytes where byte == UInt8(ascii: ";") { break }
    #expect(text(try await place.reader.read(exactly: 4)) == "rest")
    await place.close()
  }

  @Test("Other calls continue after the last byte of a loop", arguments: TestBackend.allCases)
  func callsDuringALoop(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(100_000))
    let place = try AsyncPlace(backend, .random, file.opened())
    let reader = ChannelReader(place.channel)
    var first = reader.bytes.makeAsyncIterator()
    var found: [UInt8] = []
    for round in 1...400 {
      // A copy and another iterator take bytes from the same reader.
      var copy = first
      var second = reader.bytes.makeAsyncIterator()
      for _ in 0..<(round % 7) { if let byte = try await first.next() { found.append(byte) } }
      if let byte = try await copy.next() { found.append(byte) }
      if let byte = try await second.next() { found.append(byte) }
      if let byte = try await first.next() { found.append(byte) }
      found += [UInt8](try await reader.read(exactly: round % 5))
    }
    while let byte = try await first.next() { found.append(byte) }
    #expect(found == pattern(100_000))
    #expect(try await first.next() == nil)
    await place.close()
  }

  @Test("A cancelled loop over bytes leaves the reader usable", arguments: TestBackend.allCases)
  func cancelledLoop(backend: TestBackend) async throws {
    let place = try PipeReader(backend)
    try place.write("ab")
    let reader = place.reader
    let task = Task {
      var found: [UInt8] = []
      do {
        for try await byte in reader.bytes { found.append(byte) }
        return (found, nil as SystemError?)
      } catch {
        return (found, (error as? IOChannelError)?.reason)
      }
    }
    await place.waitUntilEmpty()
    task.cancel()
    var (found, reason) = await task.value
    #expect(reason == .canceled)
    try place.write("c")
    for try await byte in reader.bytes.prefix(3 - found.count) { found.append(byte) }
    #expect(found == Array("abc".utf8))
    await place.close()
  }

  @Test("An interrupted read of all bytes keeps them", arguments: TestBackend.allCases)
  func interruptedReadOfAll(backend: TestBackend) async throws {
    let place = try PipeReader(backend)
    let reader = place.reader
    try place.write("first ")
    let task = Task { try await reader.readAll() }
    await place.waitUntilEmpty()
    task.cancel()
    let error = await #expect(throws: IOChannelError.self) { try await task.value }
    #expect(error?.reason == .canceled)
    try place.write("second ")
    place.channel.close(flags: .stop)
    await #expect(throws: IOChannelError.self) { try await reader.readAll() }
    #expect(text(try await reader.read(exactly: 6)) == "first ")
    await place.close()
  }

  @Test("All bytes within the limit are returned, more stay", arguments: TestBackend.allCases)
  func limitOfAll(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(3_000_000))
    let place = try AsyncPlace(backend, .random, file.opened())
    let reader = ChannelReader(place.channel)
    #expect([UInt8](try await reader.read(exactly: 10)) == pattern(10))
    let error = await #expect(throws: IOChannelError.self) {
      try await reader.readAll(limit: 2_999_989)
    }
    #expect(error?.reason == .fileTooLarge)
    let all = try await reader.readAll(limit: 2_999_990)
    #expect([UInt8](all) == pattern(2_999_990, from: 10))
    #expect(try await reader.readAll().isEmpty)
    await place.close()
  }

  @Test("Any mixture of all calls returns the bytes in order", arguments: TestBackend.allCases)
  func anyMixture(backend: TestBackend) async throws {
    var random = SeededGenerator(for: "reader \(backend)")
    let contents = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let file = try FileOfBytes(contents)
    let place = try AsyncPlace(backend, .stream, file.opened())
    let reader = ChannelReader(place.channel, lineEnding: .lineFeed)
    var found: [UInt8] = []
    while found.count < contents.count {
      let number = Int.random(in: 1...3000, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        for try await byte in reader.bytes.prefix(number) { found.append(byte) }
      case 1:
        for try await chunk in reader.chunks(upTo: number).prefix(3) { found += [UInt8](chunk) }
      case 2:
        found += [UInt8](try await reader.read(exactly: min(number, contents.count - found.count)))
      case 3:
        guard let record = try? await reader.read(until: [7, 9]) else { continue }
        found += [UInt8](record) + [7, 9]
      default:
        guard let line = try await reader.readLine() else { continue }
        found += [UInt8](line) + [10]
      }
    }
    // The last line had no end, unless its bytes were read without one.
    #expect(found == contents || found == contents + [10])
    await place.close()
  }

  @Test("The hang-up of a terminal is an error, or the end", arguments: TestBackend.allCases)
  func hangUp(backend: TestBackend) async throws {
    for treatsHangUpAsEnd in [false, true] {
      let ends = try PipeEnds(terminal: ())
      let trace = Trace()
      let channel = try backend.channel(.stream, ends.writing, trace)
      let reader = ChannelReader(channel, treatsHangUpAsEnd: treatsHangUpAsEnd)
      let text = Array("line\nlast".utf8)
      #expect(try ends.reading.borrowed.write(text, 0..<text.count) == text.count)
      #expect(try await reader.readLine()?.count == 4)
      let master = ends.closeReading()
      if treatsHangUpAsEnd {
        #expect(try await reader.readLine()?.count == 4)
        #expect(try await reader.readLine() == nil)
      } else {
        let error = await #expect(throws: IOChannelError.self) { try await reader.readLine() }
        #expect(error?.reason == .ioError)
        #expect(try await reader.read(upTo: 10).count == 4)
      }
      channel.close()
      await trace.reach(1)
      _ = master.rawValue
    }
  }
}
