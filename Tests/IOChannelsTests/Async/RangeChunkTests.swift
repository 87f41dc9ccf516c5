import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@Suite("Several ranges of a random channel (S234)")
struct RangeChunkTests {
  /// Ranges of a file of 3,000,000 bytes: near and far, twice, empty, and at and after its end.
  private static let ranges: [Range<Int64>] = {
    var ranges: [Range<Int64>] = [
      2_999_990..<3_000_010, 0..<10, 4000..<4010, 4005..<4020, 7..<7, 4_000_000..<4_000_001,
      100_000..<2_500_000, 0..<10,
    ]
    for start in stride(from: Int64(0), to: 3_000_000, by: 9973) {
      ranges.append(start..<start + 50)
    }
    return ranges
  }()

  private func expected(_ range: Range<Int64>, in bytes: [UInt8]) -> [UInt8] {
    let count = Int64(bytes.count)
    return Array(bytes[Int(min(range.lowerBound, count))..<Int(min(range.upperBound, count))])
  }

  @Test("Each range is returned once, with its bytes", arguments: TestBackend.allCases)
  func bytes(backend: TestBackend) async throws {
    let bytes = pattern(3_000_000)
    let file = try FileOfBytes(bytes)
    for gap in [0, 4096, 1 << 20] {
      let place = try AsyncPlace(backend, .random, file.opened())
      var seen: [Int] = []
      for try await chunk in place.channel.chunks(of: Self.ranges, gapLimit: gap) {
        seen.append(chunk.index)
        #expect(chunk.range == Self.ranges[chunk.index])
        #expect([UInt8](chunk.data) == expected(chunk.range, in: bytes), "\(chunk.range)")
      }
      #expect(seen.sorted() == Array(Self.ranges.indices))
      await place.close()
    }
  }

  @Test(
    "At most 64 reads and 8 MiB run before the loop asks for more",
    arguments: TestBackend.allCases,
    [(70_000, 65), (1 << 20, 9)]
  )
  func window(backend: TestBackend, limit: (length: Int64, reads: Int)) async throws {
    let file = try FileOfBytes(pattern(1_000_000))
    let descriptor = try file.opened()
    let kinds = RequestKinds()
    if backend == .ring { try Need.ring.orSkip() }
    let engine = Engine(
      setting: backend.setting,
      sizes: TransferSizes(atOnce: 0),
      observer: kinds
    )
    let trace = Trace()
    let channel = IOChannel(
      type: .random,
      fileDescriptor: descriptor.rawValue,
      engine: engine,
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    let ranges = (Int64(0)..<400).map { $0 << 21..<$0 << 21 + limit.length }
    var chunks = channel.chunks(of: ranges, gapLimit: 0).makeAsyncIterator()
    _ = try await chunks.next()
    #expect(kinds.reads <= limit.reads)
    channel.close()
    await trace.reach(1)
    #expect(engine.becomesIdle())
    _ = descriptor.rawValue
  }

  @Test("A loop that is left early ends the reads", arguments: TestBackend.allCases)
  func leftEarly(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(3_000_000))
    let place = try AsyncPlace(backend, .random, file.opened())
    for try await _ in place.channel.chunks(of: Self.ranges, gapLimit: 0) { break }
    // The cleanup waits for everything that is under way.
    await place.close()
  }

  @Test("The error of a read ends a loop, and no read is left", arguments: TestBackend.allCases)
  func error(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(3_000_000))
    let place = try AsyncPlace(backend, .random, file.opened())
    let ranges = Self.ranges + [-10 ..< -5]
    var chunks = place.channel.chunks(of: ranges, gapLimit: 0).makeAsyncIterator()
    let error = await #expect(throws: IOChannelError.self) {
      while try await chunks.next() != nil {}
    }
    #expect(error?.reason == .invalidArgument)
    #expect(error?.offset == -10)
    #expect(try await chunks.next() == nil)
    await place.close()
  }

  @Test("A cancelled loop returns all ranges or throws", arguments: TestBackend.allCases)
  func cancelled(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(3_000_000))
    let place = try AsyncPlace(backend, .random, file.opened())
    let channel = place.channel
    // Only one read of 8 MiB is in flight at a time.
    let ranges = (Int64(0)..<4).map { $0 << 23..<($0 + 1) << 23 }
    for isCancelledBefore in [true, false] {
      let begun = WorkGroup()
      if !isCancelledBefore { begun.enter() }
      let task = Task {
        while isCancelledBefore && !Task.isCancelled { await Task.yield() }
        var count = 0
        for try await _ in channel.chunks(of: ranges) {
          count += 1
          if count == 1 && !isCancelledBefore { begun.leave() }
        }
        return count
      }
      if !isCancelledBefore { try await begun.completion() }
      task.cancel()
      switch await task.result {
      case .success(let count): #expect(count == ranges.count)
      case .failure(let error): #expect((error as? IOChannelError)?.reason == .canceled)
      }
    }
    await place.close()
  }

  @Test("A cancelled loop over cached bytes starts no further reads (S234)")
  func cancelledCached() async throws {
    let file = try FileOfBytes(pattern(1_000_000))
    let descriptor = try file.opened()
    let kinds = RequestKinds()
    let engine = Engine(setting: TestBackend.threads.setting, observer: kinds)
    let trace = Trace()
    let channel = IOChannel(
      type: .random,
      fileDescriptor: descriptor.rawValue,
      engine: engine,
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    let ranges = (Int64(0)..<1000).map { $0 * 1000..<$0 * 1000 + 10 }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      var count = 0
      for try await _ in channel.chunks(of: ranges, gapLimit: 0) { count += 1 }
      return count
    }
    task.cancel()
    let error = await #expect(throws: IOChannelError.self) { try await task.value }
    #expect(error?.isCancellation == true)
    #expect(kinds.reads == 0)
    channel.close()
    await trace.reach(1)
    #expect(engine.becomesIdle())
    _ = descriptor.rawValue
  }

  @Test("A stream has no ranges, which is an error (S234)", arguments: TestBackend.allCases)
  func stream(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(10))
    let place = try AsyncPlace(backend, .stream, file.opened())
    var chunks = place.channel.chunks(of: [0..<5, 7..<9]).makeAsyncIterator()
    let error = await #expect(throws: IOChannelError.self) { try await chunks.next() }
    #expect(error?.reason == .illegalSeek)
    #expect(try await chunks.next() == nil)
    #expect(try await place.channel.read(length: 10).count == 10)
    await place.close()
  }

  @Test("A closed channel reads no ranges", arguments: TestBackend.allCases)
  func closed(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(10))
    let place = try AsyncPlace(backend, .random, file.opened())
    place.channel.close()
    var chunks = place.channel.chunks(of: [0..<5]).makeAsyncIterator()
    let error = await #expect(throws: IOChannelError.self) { try await chunks.next() }
    #expect(error?.reason == .canceled)
    await place.close()
  }
}
