import Glibc
import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@Suite("Closing that a task awaits, and channels of open descriptors (S225)")
struct ClosingTests {
  /// The files that the process has open, as one text.
  private func openNames() throws -> String {
    // It complains of what other tests close meanwhile.
    try run(["ls", "-l", "/proc/\(getpid())/fd"]).outputText
  }

  @Test("Closing waits for operations and the cleanup handler", arguments: TestBackend.allCases)
  func waiting(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(1_000_000))
    let trace = Trace()
    let descriptor = try file.opened()
    let channel = try backend.channel(.random, descriptor, trace)
    channel.read(offset: 0, length: .max, queue: trace.queue, ioHandler: trace.handler())
    async let other: Void = channel.closeAndCleanUp()
    try await channel.closeAndCleanUp()
    #expect(trace.entries.last == .cleanup)
    #expect(trace.bytes == pattern(1_000_000))
    try await other
    try await channel.closeAndCleanUp(flags: .stop)
    #expect(trace.entries.count { $0 == .cleanup } == 1)
    let error = await #expect(throws: IOChannelError.self) { try await channel.read(length: 1) }
    #expect(error?.reason == .canceled)
    _ = descriptor.rawValue
  }

  @Test("A stop, and a cancelled task, end waiting operations", arguments: TestBackend.allCases)
  func stopping(backend: TestBackend) async throws {
    for isCancelled in [false, true] {
      let ends = try PipeEnds()
      let trace = Trace()
      let channel = try backend.channel(.stream, ends.reading, trace)
      channel.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler())
      let task = Task { try await channel.closeAndCleanUp(flags: isCancelled ? [] : .stop) }
      if isCancelled { task.cancel() }
      try await task.value
      #expect(trace.entries == [.delivery(done: true, bytes: nil, error: .canceled), .cleanup])
      _ = ends.writing.rawValue
      _ = ends.reading.rawValue
    }
  }

  @Test("Closing throws the error of the creation", arguments: TestBackend.allCases)
  func creationError(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let place = try AsyncPlace(backend, .random, openFile(directory.path))
    for _ in 0..<2 {
      let error = await #expect(throws: IOChannelError.self) {
        try await place.channel.closeAndCleanUp()
      }
      #expect(error?.reason == .isDirectory)
      #expect(error?.operation == .open)
    }
    await place.close()
  }

  @Test("A descriptor is closed if requested, in all cases", arguments: TestBackend.allCases)
  func closingADescriptor(backend: TestBackend) async throws {
    let engine = try backend.engine()
    for isFailing in [false, true] {
      let file = try FileOfBytes(pattern(100))
      let number = try file.opened().release()
      let task = Task {
        try await IOChannel.withDescriptor(number, closing: true, engine: engine) { channel in
          #expect(channel.fileDescriptor == number)
          #expect([UInt8](try await channel.readAll()) == pattern(100))
          if isFailing { throw TestFailure("enough") }
        }
      }
      if isFailing {
        await #expect(throws: TestFailure.self) { try await task.value }
      } else {
        try await task.value
      }
      #expect(try !openNames().contains(file.path))
    }
  }

  @Test("A descriptor that stays open is free at the end", arguments: TestBackend.allCases)
  func keepingADescriptor(backend: TestBackend) async throws {
    let engine = try backend.engine()
    let file = try FileOfBytes([])
    let descriptor = try file.opened(.readWrite)
    let number = descriptor.rawValue
    let trace = Trace()
    for round in 0..<3 {
      try await IOChannel.withDescriptor(
        number,
        type: .stream,
        closing: false,
        engine: engine
      ) { channel in
        let data = DataBuffer(pattern(100_000, from: round * 100_000))
        // The function does not wait for it.
        channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
      }
      #expect(trace.entries.count { $0.isDone } == round + 1)
      #expect(try descriptor.borrowed.position() == Int64(round + 1) * 100_000)
    }
    #expect(try file.bytes() == pattern(300_000))
  }

  @Test("The kind of the file decides the kind of the channel", arguments: TestBackend.allCases)
  func kindOfTheFile(backend: TestBackend) async throws {
    let engine = try backend.engine()
    let file = try FileOfBytes(pattern(10))
    try await IOChannel.withOpen(BytePath(file.path), .readOnly, engine: engine) { channel in
      for _ in 0..<2 {
        let bytes = try await channel.read(length: 10, at: 0)
        #expect([UInt8](bytes) == pattern(10))
      }
    }
    let ends = try PipeEnds()
    _ = try ends.writing.borrowed.write(pattern(10), 0..<10)
    let number = ends.reading.rawValue
    try await IOChannel.withDescriptor(number, closing: false, engine: engine) { channel in
      let bytes = try await channel.read(length: 10)
      #expect([UInt8](bytes) == pattern(10))
    }
    try await IOChannel.withOpen("/dev/zero", .readOnly, engine: engine) { channel in
      let bytes = try await channel.read(length: 3)
      #expect(bytes.count == 3)
    }
    let missing = await #expect(throws: IOChannelError.self) {
      try await IOChannel.withDescriptor(-1, closing: false, engine: engine) { channel in
        try await channel.read(length: 1)
      }
    }
    #expect(missing?.reason == .badFileDescriptor)
    _ = ends.writing.rawValue
  }
}
