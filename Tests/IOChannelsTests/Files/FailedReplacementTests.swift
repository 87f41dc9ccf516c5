import Glibc
import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@Suite("Replacements that fail (S228)")
struct FailedReplacementTests {
  private let place: TemporaryDirectory
  private let path: String

  init() throws {
    place = try TemporaryDirectory()
    path = place("file")
  }

  private func content(_ path: String) throws -> String { try runSuccessfully(["cat", path]) }

  /// Replaces a file, and returns the error.
  private func failure(
    of path: String,
    _ engine: Engine,
    _ body: (IOChannel) async throws -> Void = { try await $0.write(DataBuffer("new".utf8)) }
  ) async -> IOChannelError? {
    await #expect(throws: IOChannelError.self) {
      try await DurableFile.replace(at: BytePath(path), engine: engine, body)
    }
  }

  /// Expects that the process has nothing open in the directory.
  private func expectNothingOpen() throws {
    let open = try run(["ls", "-l", "/proc/\(getpid())/fd"]).outputText
    #expect(!open.contains(place.path))
  }

  @Test(
    "An error of the function leaves the old file and no other (S228)",
    arguments: TestBackend.allCases
  )
  func errorOfTheFunction(backend: TestBackend) async throws {
    let engine = try backend.engine()
    for exists in [false, true] {
      if exists { try place.write(Array("old".utf8), to: "file") }
      await #expect(throws: TestFailure.self) {
        try await DurableFile.replace(at: BytePath(path), engine: engine) { file in
          try await file.write(DataBuffer("new".utf8))
          throw TestFailure("enough")
        }
      }
      #expect(names(in: place) == (exists ? ["file"] : []))
    }
    #expect(try content(path) == "old")
    try expectNothingOpen()
  }

  @Test(
    "A task that is cancelled in the function leaves the old file and no other (S228)",
    .timeLimit(.minutes(10)),
    arguments: TestBackend.allCases
  )
  func cancelledInTheFunction(backend: TestBackend) async throws {
    try place.write(Array("old".utf8), to: "file")
    let engine = try backend.engine()
    let (started, path) = (Trace(), path)
    let task = Task {
      try await DurableFile.replace(at: BytePath(path), engine: engine) { file in
        started.add(.mark("started"))
        while true { try await file.write(DataBuffer(pattern(1000))) }
      }
    }
    await started.reach(1)
    task.cancel()
    let error = await #expect(throws: IOChannelError.self) { try await task.value }
    #expect(error?.reason == .canceled && error?.operation == .write)
    #expect(try content(path) == "old")
    #expect(names(in: place) == ["file"])
    try expectNothingOpen()
  }

  @Test(
    "A task that is cancelled after the function leaves the old file and no other (S228)",
    arguments: TestBackend.allCases
  )
  func cancelledAfterTheFunction(backend: TestBackend) async throws {
    try place.write(Array("old".utf8), to: "file")
    let engine = try backend.engine()
    let (written, path) = (Trace(), path)
    let task = Task {
      try await DurableFile.replace(at: BytePath(path), engine: engine) { file in
        try await file.write(DataBuffer("new".utf8))
        written.add(.mark("written"))
        while !Task.isCancelled { await Task.yield() }
      }
    }
    await written.reach(1)
    task.cancel()
    let error = await #expect(throws: IOChannelError.self) { try await task.value }
    #expect(error?.reason == .canceled && error?.file == .path(BytePath(path)))
    #expect(try content(path) == "old")
    #expect(names(in: place) == ["file"])
    try expectNothingOpen()
  }

  @Test("A failed flush of the data leaves the old file and no other (S228)")
  func failedFlush() async throws {
    try place.write(Array("old".utf8), to: "file")
    let engine = try StepsBackend(place, path, failing: 0).engine(.simulator)
    let error = await failure(of: path, engine)
    #expect(error?.operation == .synchronize && error?.reason == .ioError)
    #expect(error?.file == .path(BytePath(path)))
    #expect(try content(path) == "old")
    #expect(names(in: place) == ["file"])
    try expectNothingOpen()
  }

  @Test("A failed flush of the directory is an error of the directory (S228)")
  func failedDirectoryFlush() async throws {
    try place.write(Array("old".utf8), to: "file")
    let engine = try StepsBackend(place, path, failing: 1).engine(.simulator)
    let error = await failure(of: path, engine)
    #expect(error?.operation == .synchronize && error?.reason == .ioError)
    #expect(error?.file == .path(BytePath(place.path + "/")))
    #expect(try content(path) == "new")
    #expect(names(in: place) == ["file"])
    try expectNothingOpen()
  }

  @Test(
    "Errors of the place name the path, and the function is not called (S228)",
    arguments: TestBackend.allCases
  )
  func places(backend: TestBackend) async throws {
    let engine = try backend.engine()
    try runSuccessfully(["mkdir", place("d")])
    try runSuccessfully(["mkfifo", place("fifo")])
    try runSuccessfully(["ln", "-s", "loop", place("loop")])
    let cases: [(String, IOChannelError.Operation, SystemError)] = [
      ("missing/file", .open, .noSuchFileOrDirectory), ("fifo/file", .open, .notDirectory),
      ("d/", .open, .isDirectory), ("d", .rename, .isDirectory), ("d/.", .rename, .isDirectory),
      ("fifo", .rename, .invalidArgument), ("loop", .open, .tooManySymbolicLinkLevels),
    ]
    for (name, operation, reason) in cases {
      let error = await failure(of: place(name), engine) { _ in Issue.record("called for \(name)") }
      #expect(error?.operation == operation && error?.reason == reason, "\(name)")
      #expect(error?.file == .path(BytePath(place(name))))
    }
    #expect(await failure(of: "", engine)?.reason == .noSuchFileOrDirectory)
    #expect(names(in: place) == ["d", "fifo", "loop"])
    try expectNothingOpen()
  }

  @Test(
    "A read-only directory keeps the old file (S228)",
    .needs(.root),
    arguments: TestBackend.allCases
  )
  func readOnly(backend: TestBackend) async throws {
    let system = try MemoryFileSystem(kibibytes: 100)
    let path = "\(system.path)/file"
    try runSuccessfully(["sh", "-c", "echo old > \"$0\"", path])
    try runSuccessfully(["mount", "-o", "remount,ro", system.path])
    let error = await failure(of: path, try backend.engine())
    #expect(error?.operation == .create && error?.reason == .readOnlyFileSystem)
    #expect(error?.description == "create of \(path): Read-only file system")
    #expect(try content(path) == "old\n")
  }

  @Test(
    "A full disk keeps the old file and no other (S228)",
    .needs(.root),
    arguments: TestBackend.allCases
  )
  func fullDisk(backend: TestBackend) async throws {
    let system = try MemoryFileSystem(kibibytes: 100)
    let path = "\(system.path)/file"
    try runSuccessfully(["sh", "-c", "echo old > \"$0\"", path])
    let error = await failure(of: path, try backend.engine()) {
      try await $0.write(DataBuffer(pattern(1_000_000)))
    }
    #expect(error?.operation == .write && error?.reason == .noSpace)
    #expect(try runSuccessfully(["ls", "-A", system.path]) == "file\n")
    #expect(try content(path) == "old\n")
  }

  @Test(
    "A failed write that the function does not await keeps the old file (S228)",
    .needs(.root),
    arguments: TestBackend.allCases
  )
  func unawaitedWrite(backend: TestBackend) async throws {
    let system = try MemoryFileSystem(kibibytes: 100)
    let path = "\(system.path)/file"
    try runSuccessfully(["sh", "-c", "echo old > \"$0\"", path])
    for isCaught in [false, true] {
      let error = await failure(of: path, try backend.engine()) { file in
        let data = DataBuffer(pattern(1_000_000))
        if isCaught {
          try? await file.write(data)
          return
        }
        file.write(offset: 0, data: data, queue: .global()) { _, _, _ in }
      }
      #expect(error?.operation == .write && error?.reason == .noSpace)
      #expect(try runSuccessfully(["ls", "-A", system.path]) == "file\n")
      #expect(try content(path) == "old\n")
    }
  }
}
