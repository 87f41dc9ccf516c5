import Glibc
import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@Suite("Files that are closed on every way out (S154)")
struct OpeningTests {
  private func withFile<Result>(
    _ path: String,
    _ flags: OpenFlags,
    _ backend: TestBackend,
    _ body: (IOChannel) async throws -> Result
  ) async throws -> Result {
    try await IOChannel.withOpen(
      BytePath(path),
      flags,
      type: .random,
      engine: backend.engine(),
      body
    )
  }

  /// What the process has open, as one text.
  private func openNames() throws -> String {
    // It complains of what other tests close meanwhile.
    try run(["ls", "-l", "/proc/\(getpid())/fd"]).outputText
  }

  @Test("A file is created, written, read and closed", arguments: TestBackend.allCases)
  func aFileIsMadeWrittenReadAndClosed(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let path = directory("new")
    try await withFile(path, [.writeOnly, .create, .exclusive], backend) { channel in
      try await channel.write(DataBuffer(pattern(100_000)))
    }
    let bytes = try await withFile(path, .readOnly, backend) { channel in
      #expect(try openNames().contains(path))
      return [UInt8](try await channel.readAll())
    }
    #expect(bytes == pattern(100_000))
    #expect(try !openNames().contains(path))
  }

  @Test("A small cached file needs requests only to open and close", arguments: TestBackend.real)
  func smallCachedFile(backend: TestBackend) async throws {
    if backend == .ring { try Need.ring.orSkip() }
    for count in [0, 1, 4096, 65_535] {
      let file = try FileOfBytes(pattern(count))
      let held = try file.opened()
      if count > 0 { try holdPages(of: held.borrowed) }
      // A page that the kernel moves just then is not there, so an attempt may need requests.
      var (attempts, found) = (0, [] as [Request.Kind])
      while found != [.open, .close], attempts < 100 {
        let kinds = RequestKinds()
        let engine = Engine(setting: backend.setting, observer: kinds)
        let path = BytePath(file.path)
        let bytes = try await IOChannel.withOpen(path, .readOnly, engine: engine) { channel in
          let bytes = try await channel.readAll()
          #expect(try await channel.readAll().isEmpty)
          return [UInt8](bytes)
        }
        #expect(bytes == pattern(count))
        found = kinds.all
        attempts += 1
      }
      #expect(attempts < 100, "\(count)")
      _ = held.rawValue
    }
  }

  @Test("A small file that has grown is read to its new end", arguments: TestBackend.allCases)
  func grownFile(backend: TestBackend) async throws {
    for count in [4097, 100_000] {
      let file = try FileOfBytes(pattern(4096))
      try await withFile(file.path, .readOnly, backend) { channel in
        let end = try file.opened([.writeOnly, .append])
        let more = pattern(count - 4096, from: 4096)
        #expect(try end.borrowed.write(more, 0..<more.count) == more.count)
        #expect([UInt8](try await channel.readAll(at: 10)) == pattern(count - 10, from: 10))
        try end.borrowed.setSize(50)
        #expect([UInt8](try await channel.readAll(at: 10)) == pattern(40, from: 10))
        #expect(try await channel.readAll(at: 51).isEmpty)
      }
    }
  }

  @Test(
    "Operations that the function leaves behind end before the close",
    arguments: TestBackend.allCases
  )
  func whatTheFunctionLeavesBehindIsDoneBeforeTheClose(backend: TestBackend) async throws {
    let file = try FileOfBytes([])
    let trace = Trace()
    try await withFile(file.path, .writeOnly, backend) { channel in
      let data = DataBuffer(pattern(2_000_000))
      channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler())
    }
    #expect(trace.entries.last == .delivery(done: true, bytes: nil))
    #expect(try file.bytes() == pattern(2_000_000))
  }

  @Test(
    "An error of the function stops operations in flight",
    .timeLimit(.minutes(10)),
    arguments: TestBackend.allCases
  )
  func anErrorOfTheFunctionStopsWhatIsUnderWay(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let fifo = directory("fifo")
    try runSuccessfully(["mkfifo", fifo])
    let engine = try backend.engine()
    let trace = Trace()
    await #expect(throws: TestFailure.self) {
      try await IOChannel.withOpen(BytePath(fifo), .readWrite, type: .stream, engine: engine) {
        $0.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler())
        throw TestFailure("enough")
      }
    }
    #expect(trace.entries == [.delivery(done: true, bytes: nil, error: .canceled)])
    #expect(try !openNames().contains(fifo))
  }

  @Test("A failed opening names the path", arguments: TestBackend.allCases)
  func aFailedOpeningNamesThePath(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let path = directory("missing")
    let error = await #expect(throws: IOChannelError.self) {
      try await withFile(path, .readOnly, backend) { _ in }
    }
    #expect(error?.reason == .noSuchFileOrDirectory)
    #expect(error?.file == .path(BytePath(path)))
    #expect(error?.description == "open of \(path): No such file or directory")
  }

  @Test("A directory cannot be opened (S2)", arguments: TestBackend.allCases)
  func directory(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let path = directory("folder")
    try runSuccessfully(["mkdir", path])
    let engine = try backend.engine()
    for type in [nil, .random, .stream] as [IOChannel.StreamType?] {
      for flags in [.readOnly, [.readOnly, .directory]] as [OpenFlags] {
        let error = await #expect(throws: IOChannelError.self) {
          try await IOChannel.withOpen(BytePath(path), flags, type: type, engine: engine) { _ in
            Issue.record("The directory was opened.")
          }
        }
        #expect(error?.operation == .open && error?.reason == .isDirectory)
        let message = "open of \(path): Is a directory (A directory has no bytes of its own.)"
        #expect(error?.description == message)
      }
    }
    let names = try run(["ls", "-l", "/proc/\(getpid())/fd"]).outputText
    #expect(!names.contains(path))
  }

  @Test("Errors of the channel name the path", arguments: TestBackend.allCases)
  func errorsOfTheChannelNameThePath(backend: TestBackend) async throws {
    let file = try FileOfBytes([])
    let error = await #expect(throws: IOChannelError.self) {
      try await withFile(file.path, .writeOnly, backend) { channel in
        try await channel.read(length: 1)
      }
    }
    #expect(error?.file == .path(BytePath(file.path)))
  }

  @Test("A cancelled task closes its file", arguments: TestBackend.allCases)
  func aCancelledTaskClosesItsFile(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let fifo = directory("fifo")
    try runSuccessfully(["mkfifo", fifo])
    let engine = try backend.engine()
    let task = Task {
      try await IOChannel.withOpen(BytePath(fifo), .readWrite, type: .stream, engine: engine) {
        _ = try await $0.read(length: 1)
      }
    }
    task.cancel()
    await #expect(throws: IOChannelError.self) { try await task.value }
    #expect(try !openNames().contains(fifo))
  }
}
