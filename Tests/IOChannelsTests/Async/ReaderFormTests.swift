import IOChannels
import IOChannelsTestSupport
import Testing

@Suite("Numbers of bytes, delimiters, chunks and strings of channel readers (S224)")
struct ReaderFormTests {
  @Test("A number of bytes is read completely or stays", arguments: TestBackend.allCases)
  func exactNumber(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(2_500_000))
    for kind in [IOChannel.StreamType.random, .stream] {
      let place = try AsyncPlace(backend, kind, file.opened())
      let reader = ChannelReader(place.channel)
      #expect(try await reader.read(exactly: 0).isEmpty)
      #expect([UInt8](try await reader.read(exactly: 2_000_000)) == pattern(2_000_000))
      for _ in 0..<2 {
        let error = await #expect(throws: IOChannelError.self) {
          try await reader.read(exactly: 500_001)
        }
        #expect(error?.reason == .noData)
        #expect(error?.transferredCount == 500_000)
      }
      let rest = try await reader.read(exactly: 500_000)
      #expect([UInt8](rest) == pattern(500_000, from: 2_000_000))
      let end = await #expect(throws: IOChannelError.self) { try await reader.read(exactly: 1) }
      #expect(end?.reason == .noData)
      #expect(end?.transferredCount == 0)
      await place.close()
    }
  }

  @Test("A cancelled read of a number of bytes keeps its bytes", arguments: TestBackend.allCases)
  func cancelledExactNumber(backend: TestBackend) async throws {
    let place = try PipeReader(backend)
    let reader = place.reader
    try place.write("part")
    let task = Task { try await reader.read(exactly: 7) }
    await place.waitUntilEmpty()
    task.cancel()
    let error = await #expect(throws: IOChannelError.self) { try await task.value }
    #expect(error?.reason == .canceled)
    try place.write("ial more")
    #expect(text(try await reader.read(exactly: 7)) == "partial")
    #expect(text(try await reader.read(exactly: 5)) == " more")
    await place.close()
  }

  @Test("A delimiter is found however its bytes arrive", arguments: TestBackend.allCases)
  func delimiterInParts(backend: TestBackend) async throws {
    let place = try PipeReader(backend)
    let reader = place.reader
    let delimiter = "\r\n\r\n"
    for parts in [["a\r\n\r", "\n"], ["b\r\n", "\r\n"], ["\r", "\n\r\n"], ["c\r\n\r\r\n\r\n"]] {
      let task = Task { try await reader.read(until: delimiter.utf8) }
      for part in parts {
        try place.write(part)
        await place.waitUntilEmpty()
      }
      let whole = parts.joined()
      #expect(text(try await task.value) == String(decoding: whole.utf8.dropLast(4), as: UTF8.self))
    }
    await place.close()
  }

  @Test("Records end with their delimiter, also the last", arguments: TestBackend.allCases)
  func recordsWithDelimiters(backend: TestBackend) async throws {
    let file = try FileOfBytes(Array("one\0\0two\0thr".utf8))
    let place = try AsyncPlace(backend, .random, file.opened())
    let reader = ChannelReader(place.channel)
    #expect(text(try await reader.read(until: [0])) == "one")
    #expect(text(try await reader.read(until: [0])) == "")
    for _ in 0..<2 {
      let long = await #expect(throws: IOChannelError.self) {
        try await reader.read(until: [0], limit: 2)
      }
      #expect(long?.reason == .messageTooLong)
      #expect(long?.offset == 5)
    }
    #expect(text(try await reader.read(until: [0], limit: 3)) == "two")
    let end = await #expect(throws: IOChannelError.self) { try await reader.read(until: [0]) }
    #expect(end?.reason == .noData)
    #expect(end?.transferredCount == 3)
    #expect(text(try await reader.read(until: "r".utf8)) == "th")
    #expect(try await reader.read(until: [0]) == nil)
    await place.close()
  }

  @Test("A record without end is refused at the limit", arguments: TestBackend.allCases)
  func recordBeyondTheLimit(backend: TestBackend) async throws {
    let place = try PipeReader(backend)
    try place.write("abcd--")
    let error = await #expect(throws: IOChannelError.self) {
      try await place.reader.read(until: "--;".utf8, limit: 3)
    }
    #expect(error?.reason == .messageTooLong)
    try place.write(";")
    #expect(text(try await place.reader.read(until: "--;".utf8, limit: 4)) == "abcd")
    await place.close()
  }

  @Test("Chunks have at most the given number of bytes", arguments: TestBackend.allCases)
  func chunks(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(300_000))
    for kind in [IOChannel.StreamType.random, .stream] {
      let place = try AsyncPlace(backend, kind, file.opened())
      let reader = ChannelReader(place.channel)
      var bytes: [UInt8] = []
      for try await chunk in reader.chunks(upTo: 1000) {
        #expect((1...1000).contains(chunk.count))
        bytes += [UInt8](chunk)
        if bytes.count > 5000 { break }
      }
      bytes += [UInt8](try await reader.read(exactly: 10))
      for try await chunk in reader.chunks(upTo: .max) { bytes += [UInt8](chunk) }
      #expect(bytes == pattern(300_000))
      await place.close()
    }
  }

  @Test("A carriage return stays where lines end with a line feed", arguments: TestBackend.allCases)
  func lineFeedsOnly(backend: TestBackend) async throws {
    let place = try PipeReader(backend, lineEnding: .lineFeed, lineLimit: 3)
    try place.write("ab\r\n\r\nabc\r")
    #expect(text(try await place.reader.readLine()) == "ab\r")
    #expect(text(try await place.reader.readLine()) == "\r")
    // The carriage return is the fourth byte of the line.
    let error = await #expect(throws: IOChannelError.self) { try await place.reader.readLine() }
    #expect(error?.reason == .messageTooLong)
    await place.close()
  }

  @Test("Strings have a replacement for invalid UTF-8", arguments: TestBackend.allCases)
  func strings(backend: TestBackend) async throws {
    let file = try FileOfBytes(Array("Größe\r\n".utf8) + [0x61, 0xff, 0x62, 0x0a] + [0xe2, 0x82])
    let place = try AsyncPlace(backend, .random, file.opened())
    var lines: [String] = []
    for try await line in ChannelReader(place.channel).stringLines { lines.append(line) }
    #expect(lines == ["Größe", "a\u{fffd}b", "\u{fffd}"])
    await place.close()
  }
}
