import IOChannels
import IOChannelsEngine
import IOChannelsLocks
import IOChannelsTestSupport
import Testing

private let kibi = 1 << 10
private let mebi = 1 << 20

extension DeliveryMarks {
  static let standard = DeliveryMarks()
}

/// Marks of a test case; `nil` leaves the default.
struct DeliveryMarks: Sendable {
  var low: Int?
  var high: Int?

  func apply(to channel: IOChannel) {
    if let low { channel.setLimit(lowWater: low) }
    if let high { channel.setLimit(highWater: high) }
  }
}

/// One read of a regular file and what the reference delivers for it.
struct ReadCase: Sendable, CustomTestStringConvertible {
  let name: String
  let size: Int
  var length = Int.max
  var marks = DeliveryMarks.standard
  let expected: [TraceEntry]

  var testDescription: String { name }

  static let all: [ReadCase] = [
    ReadCase(
      name: "2.5 MiB to the end",
      size: 2560 * kibi,
      expected: [
        .delivery(done: false, bytes: mebi), .delivery(done: false, bytes: mebi),
        .delivery(done: false, bytes: 512 * kibi), .delivery(done: true, bytes: 0),
      ]
    ),
    ReadCase(
      name: "exactly 2.5 MiB",
      size: 2560 * kibi,
      length: 2560 * kibi,
      expected: [
        .delivery(done: false, bytes: mebi), .delivery(done: false, bytes: mebi),
        .delivery(done: true, bytes: 512 * kibi),
      ]
    ),
    ReadCase(
      name: "3 MiB of 2.5 MiB",
      size: 2560 * kibi,
      length: 3 * mebi,
      expected: [
        .delivery(done: false, bytes: mebi), .delivery(done: false, bytes: mebi),
        .delivery(done: false, bytes: 512 * kibi), .delivery(done: true, bytes: 0),
      ]
    ),
    ReadCase(
      name: "2 MiB to the end",
      size: 2 * mebi,
      expected: [
        .delivery(done: false, bytes: mebi), .delivery(done: false, bytes: mebi),
        .delivery(done: true, bytes: 0),
      ]
    ),
    ReadCase(name: "an empty file", size: 0, expected: [.delivery(done: true, bytes: 0)]),
    ReadCase(
      name: "no length",
      size: 10,
      length: 0,
      expected: [.delivery(done: true, bytes: 0)]
    ),
    ReadCase(
      name: "high water 256 KiB",
      size: 600 * kibi,
      marks: DeliveryMarks(high: 256 * kibi),
      expected: [
        .delivery(done: false, bytes: 256 * kibi), .delivery(done: false, bytes: 256 * kibi),
        .delivery(done: false, bytes: 88 * kibi), .delivery(done: true, bytes: 0),
      ]
    ),
    ReadCase(
      name: "high water 0",
      size: 3,
      marks: DeliveryMarks(high: 0),
      expected: [
        .delivery(done: false, bytes: 1), .delivery(done: false, bytes: 1),
        .delivery(done: false, bytes: 1), .delivery(done: true, bytes: 0),
      ]
    ),
    ReadCase(
      name: "low water 0",
      size: 600 * kibi,
      marks: DeliveryMarks(low: 0),
      expected: [.delivery(done: false, bytes: 600 * kibi), .delivery(done: true, bytes: 0)]
    ),
    ReadCase(
      name: "low water above everything",
      size: 5 * mebi,
      marks: DeliveryMarks(low: .max),
      expected: [.delivery(done: false, bytes: 5 * mebi), .delivery(done: true, bytes: 0)]
    ),
    ReadCase(
      name: "low water 1.5 MiB, high water 2.5 MiB",
      size: 5 * mebi,
      marks: DeliveryMarks(low: 1536 * kibi, high: 2560 * kibi),
      expected: [
        .delivery(done: false, bytes: 2 * mebi), .delivery(done: false, bytes: 2 * mebi),
        .delivery(done: false, bytes: mebi), .delivery(done: true, bytes: 0),
      ]
    ),
  ]
}

@Suite("Deliveries of regular files (S12, S13, S16 to S21, S23 to S25)")
struct GoldenTraceTests {
  @Test(
    "Reads of a file deliver the recorded traces",
    arguments: TestBackend.allCases,
    ReadCase.all
  )
  func readsOfAFile(backend: TestBackend, file: ReadCase) async throws {
    let directory = try TemporaryDirectory()
    let content = pattern(file.size)
    let path = try directory.write(content, to: "file")
    for kind in [IOChannel.StreamType.stream, .random] {
      let descriptor = try openFile(path)
      let trace = Trace()
      let channel = try backend.channel(kind, descriptor, trace, wholeTransfers: true)
      file.marks.apply(to: channel)
      channel.read(offset: 0, length: file.length, queue: trace.queue, ioHandler: trace.handler())
      channel.close()
      #expect(await trace.entries(file.expected.count + 1) == file.expected + [.cleanup])
      #expect(trace.bytes == Array(content.prefix(file.length)))
      let position = kind == .stream ? min(file.size, file.length) : 0
      #expect(try descriptor.borrowed.position() == Int64(position))
    }
  }

  @Test("Writes of one region report the recorded traces", arguments: TestBackend.allCases)
  func writesOfOneRegion(backend: TestBackend) async throws {
    let content = pattern(2560 * kibi)
    let entries = try await write(DataBuffer(content), content, .standard, backend)
    #expect(entries == [.delivery(done: true, bytes: nil)])
    let steps = try await write(
      DataBuffer(content),
      content,
      DeliveryMarks(high: 512 * kibi),
      backend
    )
    #expect(
      steps == [
        .delivery(done: false, bytes: 2 * mebi), .delivery(done: false, bytes: 1536 * kibi),
        .delivery(done: false, bytes: mebi), .delivery(done: false, bytes: 512 * kibi),
        .delivery(done: true, bytes: nil),
      ]
    )
  }

  @Test("Writes of five regions report the recorded traces", arguments: TestBackend.allCases)
  func writesOfFiveRegions(backend: TestBackend) async throws {
    let content = pattern(5 * 700 * kibi)
    var data = DataBuffer.empty
    for index in 0..<5 {
      data.append(DataBuffer(Array(content[index * 700 * kibi..<(index + 1) * 700 * kibi])))
    }
    let entries = try await write(data, content, .standard, backend)
    #expect(
      entries == [
        .delivery(done: false, bytes: 2100 * kibi), .delivery(done: false, bytes: 700 * kibi),
        .delivery(done: true, bytes: nil),
      ]
    )
    // The rest of a region and the next one go one after the other when both are too long.
    let narrow = try await write(data, content, DeliveryMarks(high: 500 * kibi), backend)
    #expect(
      narrow == [
        .delivery(done: false, bytes: 3000 * kibi), .delivery(done: false, bytes: 2300 * kibi),
        .delivery(done: false, bytes: 1600 * kibi), .delivery(done: false, bytes: 900 * kibi),
        .delivery(done: false, bytes: 200 * kibi), .delivery(done: true, bytes: nil),
      ]
    )
    let steps = try await write(data, content, DeliveryMarks(low: 0), backend)
    #expect(
      steps == [
        .delivery(done: false, bytes: 2800 * kibi), .delivery(done: false, bytes: 2100 * kibi),
        .delivery(done: false, bytes: 1400 * kibi), .delivery(done: false, bytes: 700 * kibi),
        .delivery(done: true, bytes: nil),
      ]
    )
  }

  @Test("Deliveries show the regions of the steps", arguments: TestBackend.allCases)
  func deliveriesShowTheRegionsOfTheSteps(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let trace = Trace()
    let source = try openFile(directory.write(pattern(5 * mebi), to: "source"))
    let reader = try backend.channel(.stream, source, trace, wholeTransfers: true)
    reader.setLimit(lowWater: .max)
    let regions = BargingLock<[Int]>([])
    let count: IOChannel.Handler = { _, data, _ in
      if let data { regions.withLock { $0.append(data.regions.count) } }
    }
    reader.read(offset: 0, length: .max, queue: trace.queue, ioHandler: count)
    reader.close()
    await trace.reach(1)
    #expect(regions.withLock { $0 } == [5, 0])
    let target = try openFile(directory("target"), [.readWrite, .create])
    let part = DataBuffer(pattern(700 * kibi))
    let data = DataBuffer(concatenating: Array(repeating: part, count: 5))
    for (low, expected) in [(mebi, [3, 1]), (0, [4, 3, 2, 1])] {
      regions.withLock { $0 = [] }
      let cleanup = Trace()
      let writer = try backend.channel(.random, target, cleanup, wholeTransfers: true)
      writer.setLimit(lowWater: low)
      writer.write(offset: 0, data: data, queue: trace.queue, ioHandler: count)
      writer.close()
      await cleanup.reach(1)
      #expect(regions.withLock { $0 } == expected)
    }
  }

  @Test("A water mark adjusts the other one", arguments: TestBackend.allCases)
  func aMarkPullsTheOtherAlong(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(pattern(10), to: "file")
    let cases: [(isLowLast: Bool, expected: [TraceEntry])] = [
      (true, [.delivery(done: false, bytes: 7), .delivery(done: true, bytes: 3)]),
      (
        false,
        [
          .delivery(done: false, bytes: 4), .delivery(done: false, bytes: 4),
          .delivery(done: true, bytes: 2),
        ]
      ),
    ]
    for (isLowLast, expected) in cases {
      let descriptor = try openFile(path)
      let trace = Trace()
      let channel = try backend.channel(.stream, descriptor, trace, wholeTransfers: true)
      if !isLowLast { channel.setLimit(lowWater: 7) }
      channel.setLimit(highWater: 4)
      if isLowLast { channel.setLimit(lowWater: 7) }
      channel.read(offset: 0, length: 10, queue: trace.queue, ioHandler: trace.handler())
      channel.close()
      #expect(await trace.entries(expected.count + 1) == expected + [.cleanup])
    }
  }

  @Test("Water marks apply to later operations", arguments: TestBackend.allCases)
  func marksConcernWhatIsSubmittedLater(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let descriptor = try openFile(directory.write(pattern(10), to: "file"))
    let trace = Trace()
    let channel = try backend.channel(.stream, descriptor, trace, wholeTransfers: true)
    let mayEnd = CountingSemaphore(value: 0)
    channel.barrier { mayEnd.wait() }
    // It begins behind the barrier, when the mark has long been set.
    channel.read(offset: 0, length: 5, queue: trace.queue, ioHandler: trace.handler("a"))
    channel.setLimit(highWater: 4)
    channel.read(offset: 0, length: 5, queue: trace.queue, ioHandler: trace.handler("b"))
    channel.close()
    mayEnd.signal()
    #expect(
      await trace.entries(4) == [
        .delivery(of: "a", done: true, bytes: 5), .delivery(of: "b", done: false, bytes: 4),
        .delivery(of: "b", done: true, bytes: 1), .cleanup,
      ]
    )
  }

  /// Writes either way, which has to be told alike, and checks what stands in the file.
  private func write(
    _ data: DataBuffer,
    _ content: [UInt8],
    _ marks: DeliveryMarks,
    _ backend: TestBackend
  ) async throws -> [TraceEntry] {
    let stream = try await write(data, content, marks, .stream, backend)
    #expect(try await write(data, content, marks, .random, backend) == stream)
    return stream
  }

  private func write(
    _ data: DataBuffer,
    _ content: [UInt8],
    _ marks: DeliveryMarks,
    _ kind: IOChannel.StreamType,
    _ backend: TestBackend
  ) async throws -> [TraceEntry] {
    let directory = try TemporaryDirectory()
    let descriptor = try openFile(directory("file"), [.readWrite, .create])
    let trace = Trace()
    let channel = try backend.channel(kind, descriptor, trace, wholeTransfers: true)
    marks.apply(to: channel)
    channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
    channel.close()
    var entries: [TraceEntry] = []
    repeat { entries = await trace.entries(entries.count + 1) } while entries.last != .cleanup
    #expect(try descriptor.borrowed.position() == (kind == .stream ? Int64(content.count) : 0))
    let read = Trace()
    let written = try openFile(directory("file"))
    let check = try backend.channel(.random, written, read, wholeTransfers: true)
    check.setLimit(lowWater: .max)
    check.read(offset: 0, length: .max, queue: read.queue, ioHandler: read.handler())
    await read.reach(2)
    #expect(read.bytes == content)
    check.close()
    await read.reach(3)
    return entries.dropLast()
  }
}
