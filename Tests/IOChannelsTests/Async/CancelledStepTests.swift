import IOChannels
import IOChannelsTestSupport
import Testing

/// A loop over the bytes of a channel, of which each step awaits one call or element.
private struct Loop: CustomTestStringConvertible, Sendable {
  /// Where the bytes are that no step has returned.
  enum Rest {
    case reader
    case channel
    /// With the sequence, whose reader ends with it.
    case dropped
  }

  /// The bytes of one step; nil after the last one.
  typealias Step = nonisolated(nonsending) () async throws -> [UInt8]?

  let testDescription: String
  let rest: Rest
  let steps: @Sendable (IOChannel, ChannelReader) -> Step

  init(
    _ name: String,
    _ rest: Rest,
    _ steps: @escaping @Sendable (IOChannel, ChannelReader) -> Step
  ) {
    testDescription = name
    self.rest = rest
    self.steps = steps
  }

  private static func steps<Elements: AsyncSequence>(
    _ elements: Elements,
    _ bytes: @escaping (Elements.Element) -> [UInt8]
  ) -> Step {
    var iterator = elements.makeAsyncIterator()
    return { try await iterator.next(isolation: #isolation).map(bytes) }
  }

  private static func line(_ bytes: DataBuffer) -> [UInt8] { [UInt8](bytes) + [10] }

  static let all: [Loop] = [
    Loop("chunks", .channel) { channel, _ in steps(channel.chunks()) { [UInt8]($0) } },
    Loop("chunks(in:)", .channel) { channel, _ in steps(channel.chunks(in: 0...)) { [UInt8]($0) } },
    Loop("lines", .dropped) { channel, _ in steps(channel.lines, line) },
    Loop("stringLines", .dropped) { channel, _ in
      steps(channel.stringLines) { Array($0.utf8) + [10] }
    },
    Loop("lines of a reader", .reader) { _, reader in steps(reader.lines, line) },
    Loop("stringLines of a reader", .reader) { _, reader in
      steps(reader.stringLines) { Array($0.utf8) + [10] }
    },
    Loop("chunks(upTo:) of a reader", .reader) { _, reader in
      steps(reader.chunks(upTo: 1000)) { [UInt8]($0) }
    },
    Loop("bytes of a reader", .reader) { _, reader in steps(reader.bytes) { [$0] } },
    Loop("readLine", .reader) { _, reader in { try await reader.readLine().map(line) } },
    Loop("readCompleteLine", .reader) { _, reader in
      { try await reader.readCompleteLine().map(line) }
    },
    Loop("read(until:)", .reader) { _, reader in { try await reader.read(until: [10]).map(line) } },
    Loop("read(upTo:) of a reader", .reader) { _, reader in
      { [UInt8](try await reader.read(upTo: 1000)) }
    },
    Loop("read(exactly:) of a reader", .reader) { _, reader in
      { [UInt8](try await reader.read(exactly: 1000)) }
    },
    Loop("read(upTo:)", .channel) { channel, _ in { [UInt8](try await channel.read(upTo: 1000)) } },
    Loop("read(length:)", .channel) { channel, _ in
      { [UInt8](try await channel.read(length: 1000)) }
    },
    Loop("read(exactly:)", .channel) { channel, _ in
      { [UInt8](try await channel.read(exactly: 1000)) }
    },
  ]
}

@Suite("Cancellation in every step of every sequence and loop (S158)")
struct CancelledStepTests {
  /// Lines of 0 to 90 letters.
  private static let contents: [UInt8] = (0..<1300).flatMap { number in
    pattern(number * 7 % 91).map { 0x61 + $0 % 26 } + [10]
  }

  /// The error of a step.
  private func error(_ step: () async throws -> some Any) async -> SystemError? {
    do {
      _ = try await step()
      return nil
    } catch {
      return (error as? IOChannelError)?.reason ?? (error as? RelayError)?.cause.reason
    }
  }

  /// Makes a few steps and one in a cancelled task, and compares the bytes with the contents.
  private func check(
    _ loop: Loop,
    _ count: Int,
    _ channel: IOChannel,
    _ kind: IOChannel.StreamType
  ) async throws {
    channel.setLimit(highWater: 4096)
    let reader = ChannelReader(channel)
    let (found, first, second) = try await inTask { cancel in
      let step = loop.steps(channel, reader)
      var found: [UInt8] = []
      for _ in 0..<count { found += try await step() ?? [] }
      await cancel()
      return (found, await error(step), await error(step))
    }
    #expect(first == .canceled, "\(loop.testDescription) after \(count) steps")
    // A sequence that has thrown has ended; a call throws again.
    #expect(second == nil || second == .canceled)
    switch loop.rest {
    case .reader: #expect(try await found + [UInt8](reader.readAll()) == Self.contents)
    case .channel where kind == .stream || loop.testDescription.hasPrefix("read"):
      #expect(try await found + [UInt8](channel.readAll()) == Self.contents)
    case .channel, .dropped: #expect(Self.contents.starts(with: found))
    }
  }

  /// The numbers of steps before the cancellation.
  private func counts(_ random: inout SeededGenerator) -> [Int] {
    [0, 1, Int.random(in: 2..<12, using: &random)]
  }

  @Test("The next step throws, and keeps the bytes of a file", arguments: TestBackend.allCases)
  func files(backend: TestBackend) async throws {
    var random = SeededGenerator(for: "cancelled steps")
    let file = try FileOfBytes(Self.contents)
    for loop in Loop.all {
      for kind in [IOChannel.StreamType.random, .stream] {
        for count in counts(&random) {
          let place = try AsyncPlace(backend, kind, file.opened())
          try await check(loop, count, place.channel, kind)
          await place.close()
        }
      }
    }
  }

  @Test("The next step throws, and keeps the bytes of a pipe", arguments: TestBackend.allCases)
  func pipes(backend: TestBackend) async throws {
    var random = SeededGenerator(for: "cancelled steps")
    for loop in Loop.all {
      for count in counts(&random) {
        let ends = try PipeEnds()
        let trace = Trace()
        let channel = try backend.channel(.stream, ends.reading, trace)
        let whole = 0..<Self.contents.count
        #expect(try ends.writing.borrowed.write(Self.contents, whole) == whole.count)
        let reading = ends.closeWriting()
        try await check(loop, count, channel, .stream)
        channel.close()
        await trace.reach(1)
        _ = reading.rawValue
      }
    }
  }

  @Test("A loop over bytes that still arrive ends at once", arguments: TestBackend.allCases)
  func arrivingBytes(backend: TestBackend) async throws {
    let place = try PipeReader(backend)
    let (channel, reader) = (place.channel, place.reader)
    let feed = try backend.channel(.stream, place.ends.writing, Trace())
    let sent = Task { for _ in 0..<50 { try await feed.write(DataBuffer(Self.contents)) } }
    let begun = WorkGroup()
    begun.enter()
    let loop = Task {
      var (found, late) = ([UInt8](), 0)
      do {
        for try await chunk in reader.chunks(upTo: 100) {
          if found.isEmpty { begun.leave() }
          // The element of the step during which the task was cancelled.
          if Task.isCancelled { late += 1 }
          found += [UInt8](chunk)
        }
      } catch {
        #expect((error as? IOChannelError)?.isCancellation == true)
      }
      return (found, late)
    }
    try await begun.completion()
    loop.cancel()
    let (found, late) = await loop.value
    #expect(late <= 1)
    let rest = try await reader.read(exactly: 50 * Self.contents.count - found.count)
    let all = found + [UInt8](rest)
    #expect(all.elementsEqual((0..<50).flatMap { _ in Self.contents }))
    try await sent.value
    try await feed.closeAndCleanUp()
    _ = channel
    await place.close()
  }

  @Test("A loop over ranges throws, even if their bytes have arrived", arguments: [0, 4096])
  func ranges(gapLimit: Int) async throws {
    var random = SeededGenerator(for: "cancelled steps")
    let file = try FileOfBytes(pattern(50_000))
    for backend in TestBackend.allCases {
      let place = try AsyncPlace(backend, .random, file.opened())
      let channel = place.channel
      for count in counts(&random) {
        let (errors, last) = try await inTask { cancel in
          let ranges = (Int64(0)..<40).map { $0 * 1000..<$0 * 1000 + 10 }
          var chunks = channel.chunks(of: ranges, gapLimit: gapLimit).makeAsyncIterator()
          var errors: [SystemError?] = []
          for _ in 0..<count { errors.append(await error { try await chunks.next() }) }
          await cancel()
          errors.append(await error { try await chunks.next() })
          return (errors, try await chunks.next())
        }
        #expect(last == nil)
        #expect(errors == [SystemError?](repeating: nil, count: count) + [.canceled])
      }
      await place.close()
    }
  }

  @Test("A writer writes nothing for a cancelled task", arguments: TestBackend.allCases)
  func writers(backend: TestBackend) async throws {
    let piece = DataBuffer(pattern(10))
    let writers: [@Sendable (IOChannel) async throws -> Void] = [
      { try await $0.write(piece) },
      { try await $0.withBufferedWriter { try await $0.append(piece) } },
      { channel in
        try await channel.withBufferedWriter { writer in
          // An append that is not awaited by a write fails, too.
          try await writer.append(piece.regions[0].bytes)
          try await writer.flush()
        }
      },
      { try await $0.writeAll(AsyncStream<DataBuffer> { $0.finish() }) },
      { channel in
        try await channel.writeAll(
          AsyncStream<DataBuffer> { stream in
            stream.yield(piece)
            stream.finish()
          }
        )
      },
      { try await $0.synchronize() }, { try await $0.truncate(toLength: 3) },
      { _ = try await $0.status() }, { try await $0.finishWriting() },
    ]
    for kind in [IOChannel.StreamType.random, .stream] {
      let file = try FileOfBytes([1, 2])
      let place = try AsyncPlace(backend, kind, file.opened(.readWrite))
      let channel = place.channel
      for (number, write) in writers.enumerated() {
        let reason = try await inTask { cancel in
          await cancel()
          return await error { try await write(channel) }
        }
        #expect(reason == .canceled, "\(number)")
      }
      #expect(try file.bytes() == [1, 2])
      // The channel goes on, at its position.
      try await channel.write(DataBuffer([3]))
      #expect(try file.bytes() == [3, 2])
      await place.close()
    }
  }

  @Test(
    "A relay and an opening of a cancelled task change nothing",
    arguments: TestBackend.allCases
  )
  func relaysAndOpenings(backend: TestBackend) async throws {
    let engine = try backend.engine()
    let (from, to) = (try FileOfBytes(pattern(10)), try FileOfBytes([1]))
    let source = try AsyncPlace(backend, .stream, from.opened())
    let destination = try AsyncPlace(backend, .stream, to.opened(.readWrite))
    let (input, output) = (source.channel, destination.channel)
    let reasons = try await inTask { cancel in
      await cancel()
      return [
        await error { try await input.relay(to: output) },
        await error { try await output.writeAll(input.chunks()) },
        await error {
          try await IOChannel.withOpen(
            BytePath(to.path),
            [.writeOnly, .truncate],
            engine: engine
          ) { _ in }
        },
      ]
    }
    #expect(reasons == [.canceled, .canceled, .canceled])
    #expect(try to.bytes() == [1])
    #expect(try await input.relay(to: output) == 10)
    await source.close()
    await destination.close()
  }
}
