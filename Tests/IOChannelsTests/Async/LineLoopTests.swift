import IOChannels
import IOChannelsTestSupport
import Testing

@Suite("Loops over lines of channel readers (S224)")
struct LineLoopTests {
  /// Lines of 0 to 200 letters, of which some end with a carriage return and a line feed.
  private func lines(of count: Int, _ seed: String) -> [UInt8] {
    var random = SeededGenerator(for: seed)
    var bytes: [UInt8] = []
    while bytes.count < count {
      let letter = UInt8.random(in: 0x61...0x7a, using: &random)
      bytes += [UInt8](repeating: letter, count: Int.random(in: 0...200, using: &random))
      bytes += Bool.random(using: &random) ? [0x0d, 0x0a] : [0x0a]
    }
    return bytes + Array("last".utf8)
  }

  @Test("A loop that is left at any line loses none", arguments: TestBackend.allCases)
  func leavingALoop(backend: TestBackend) async throws {
    var random = SeededGenerator(for: "line loop \(backend)")
    let contents = lines(of: 1_500_000, "lines \(backend)")
    let file = try FileOfBytes(contents)
    for kind in [IOChannel.StreamType.random, .stream] {
      let place = try AsyncPlace(backend, kind, file.opened())
      let reader = ChannelReader(place.channel, lineEnding: .lineFeed)
      var found: [UInt8] = []
      while found.count < contents.count {
        let number = Int.random(in: 1...300, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          for try await line in reader.lines.prefix(number) { found += [UInt8](line) + [10] }
        case 1:
          for try await line in reader.stringLines.prefix(number) {
            found += Array(line.utf8) + [10]
          }
        case 2: found += [UInt8](try await reader.read(upTo: number))
        case 3: for try await byte in reader.bytes.prefix(number) { found.append(byte) }
        case 4:
          if let line = try await reader.readCompleteLine() { found += [UInt8](line) + [10] }
        default: if let line = try await reader.readLine() { found += [UInt8](line) + [10] }
        }
      }
      // The last line had no end, unless its bytes were read without one.
      #expect(found == contents || found == contents + [10])
      #expect(try await reader.readLine() == nil)
      await place.close()
    }
  }

  @Test("Several iterators return each line once", arguments: TestBackend.allCases)
  func severalIterators(backend: TestBackend) async throws {
    let contents = lines(of: 300_000, "iterators")
    let file = try FileOfBytes(contents)
    let place = try AsyncPlace(backend, .random, file.opened())
    let reader = ChannelReader(place.channel)
    var first = reader.lines.makeAsyncIterator()
    var second = reader.lines.makeAsyncIterator()
    var found: [DataBuffer] = []
    for round in 1... {
      // A copy has the same position as its original.
      var copy = first
      for _ in 0..<(round % 7) { if let line = try await first.next() { found.append(line) } }
      if let line = try await copy.next() { found.append(line) }
      if let line = try await second.next() { found.append(line) }
      guard let line = try await first.next() else { break }
      found.append(line)
    }
    #expect(found == Array(DataBuffer(contents).lines))
    #expect(try await first.next() == nil)
    #expect(try await second.next() == nil)
    await place.close()
  }

  @Test("Lines and their ends may cross regions", arguments: TestBackend.allCases)
  func regions(backend: TestBackend) async throws {
    let length = 4096
    // The carriage return is the last byte of the first region.
    var contents = [UInt8](repeating: 0x61, count: length - 1) + [0x0d, 0x0a]
    contents += lines(of: 100_000, "regions")
    // The next line begins with a region, and another one fills several.
    let rest = length - contents.count % length
    contents += [UInt8](repeating: 0x62, count: rest - 1) + [0x0a]
    contents += [UInt8](repeating: 0x63, count: 3 * length) + [0x0d, 0x0d, 0x0a, 0x0a]
    contents += Array("end\r".utf8)
    let file = try FileOfBytes(contents)
    let place = try AsyncPlace(backend, .random, file.opened())
    place.channel.setLimit(highWater: length)
    for ending in [ChannelReader.LineEnding.any, .lineFeed] {
      let reader = ChannelReader(place.channel, lineEnding: ending)
      var found: [DataBuffer] = []
      for try await line in reader.lines { found.append(line) }
      let parts = DataBuffer(contents).split(separator: 0x0a, omittingEmptySubsequences: false)
      #expect(found == (ending == .any ? Array(DataBuffer(contents).lines) : parts))
    }
    await place.close()
  }

  @Test("A line beyond the limit ends a loop and stays", arguments: TestBackend.allCases)
  func limit(backend: TestBackend) async throws {
    let file = try FileOfBytes(Array("ab\nabc\nabcd\r\nabcde\nx\ny\n".utf8))
    let place = try AsyncPlace(backend, .random, file.opened())
    let reader = ChannelReader(place.channel, lineLimit: 4)
    var found: [String?] = []
    let error = await #expect(throws: IOChannelError.self) {
      for try await line in reader.lines { found.append(text(line)) }
    }
    #expect(error?.reason == .messageTooLong)
    #expect(error?.offset == 13)
    #expect(text(try await reader.read(exactly: 6)) == "abcde\n")
    for try await line in reader.stringLines { found.append(line) }
    #expect(found == ["ab", "abc", "abcd", "x", "y"])
    await place.close()
  }

  @Test(
    "A cancelled loop throws at its next step and leaves the lines in memory",
    arguments: TestBackend.allCases
  )
  func cancellation(backend: TestBackend) async throws {
    let place = try PipeReader(backend)
    try place.write("a\nb\nc\npart")
    let reader = place.reader
    // The reader keeps what a call has read that does not get all its bytes.
    let filling = Task { try await reader.read(exactly: 100) }
    await place.waitUntilEmpty()
    filling.cancel()
    await #expect(throws: IOChannelError.self) { try await filling.value }
    let (found, reason) = try await inTask { cancel in
      var found = ""
      do {
        for try await line in reader.stringLines {
          found += line
          await cancel()
        }
        return (found, nil as SystemError?)
      } catch {
        return (found, (error as? IOChannelError)?.reason)
      }
    }
    #expect(found == "a" && reason == .canceled)
    try place.write(" of\nrest")
    var lines: [String] = []
    for try await line in reader.stringLines.prefix(3) { lines.append(line) }
    #expect(lines == ["b", "c", "part of"])
    #expect(text(try await reader.read(exactly: 4)) == "rest")
    await place.close()
  }

  @MainActor
  @Test("A loop of an actor stays on it", arguments: TestBackend.allCases)
  func isolation(backend: TestBackend) async throws {
    let contents = lines(of: 300_000, "isolation")
    let file = try FileOfBytes(contents)
    let place = try AsyncPlace(backend, .random, file.opened())
    var count = 0
    for try await _ in ChannelReader(place.channel).lines {
      MainActor.preconditionIsolated()
      count += 1
    }
    #expect(count == Array(DataBuffer(contents).lines).count)
    await place.close()
  }
}
