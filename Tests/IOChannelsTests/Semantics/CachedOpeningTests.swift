import Glibc
import IOChannels
import IOChannelsEngine
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@Suite("Files that are opened and closed on the calling thread (S247)")
struct CachedOpeningTests {
  private let directory: TemporaryDirectory
  private let file: BytePath

  init() throws {
    directory = try TemporaryDirectory()
    file = BytePath(try directory.write(pattern(5000), to: "file"))
  }

  /// An engine that has opened a file of the directory by a request.
  private func engine(_ backend: TestBackend) async throws -> Engine {
    let engine = try backend.makeEngine()
    #expect(engine.openAtOnce(file, .readOnly) == nil)
    _ = try await IOChannel.withOpen(file, .readOnly, engine: engine) { try await $0.readAll() }
    let opened = try openFile(file.description)
    let isLocal = try DescriptorTraits(of: opened.borrowed).fileSystem.isTrustedOnRing
    let hasMount = try opened.borrowed.cachedStatus().mount != nil
    if !isLocal || !hasMount { try Test.cancel("needs Linux 6.8, and a file system of the system") }
    return engine
  }

  /// Opens a file on the calling thread.
  ///
  /// The kernel refuses where it would have to wait, as for the access time of a new symbolic link.
  /// A request, which sets the time, comes before the next attempt. The clock of access times has
  /// steps of a few milliseconds, so that one request may not suffice.
  private func opened(
    _ path: String,
    _ flags: OpenFlags,
    _ engine: Engine
  ) async throws -> CachedFile? {
    let path = BytePath(path)
    for _ in 0..<10_000 {
      if let file = engine.openAtOnce(path, flags) { return file }
      _ = try await IOChannel.withOpen(path, .readOnly, engine: engine) { try await $0.readAll() }
    }
    return nil
  }

  @Test("A regular file is opened as by a request, and closed", arguments: TestBackend.real)
  func regularFile(backend: TestBackend) async throws {
    let engine = try await engine(backend)
    try symlink("file", to: "link")
    let ways: [(String, OpenFlags)] = [
      ("file", .readOnly), ("link", .readOnly), ("./file", .noFollow), ("file", .noTerminal),
    ]
    for (name, flags) in ways {
      let found = try #require(await opened(directory(name), flags, engine), "\(name)")
      #expect(found.size == 5000)
      #expect(try found.traits == DescriptorTraits(of: found.descriptor))
      #expect(try !found.descriptor.statusFlags().contains(.nonBlocking))
      #expect(fcntl(found.descriptor.rawValue, F_GETFD) == FD_CLOEXEC)
      #expect(engine.closeAtOnce(found.descriptor, found.traits, openedWith: .readOnly))
    }
    let bytes = try await IOChannel.withOpen(file, .readOnly, engine: engine) {
      [UInt8](try await $0.readAll())
    }
    #expect(bytes == pattern(5000))
  }

  @Test("Nothing else is opened here", arguments: TestBackend.real)
  func others(backend: TestBackend) async throws {
    let engine = try await engine(backend)
    try runSuccessfully(["mkfifo", directory("fifo")])
    try symlink("fifo", to: "link")
    for name in ["fifo", "link", "missing", ".", "file/", "/dev/null", "/proc/self/stat", ""] {
      let path = BytePath(name.hasPrefix("/") || name.isEmpty ? name : directory(name))
      #expect(engine.openAtOnce(path, .readOnly) == nil, "\(name)")
    }
    let flags: [OpenFlags] = [
      .writeOnly, .readWrite, .create, .truncate, .append, .nonBlocking, .path, .direct, .directory,
    ]
    for flag in flags { #expect(engine.openAtOnce(file, flag) == nil, "\(flag)") }
    try symlink("file", to: "other")
    #expect(engine.openAtOnce(BytePath(directory("other")), .noFollow) == nil)
  }

  @Test("A long file is closed by a request", arguments: TestBackend.real)
  func longFile(backend: TestBackend) async throws {
    let engine = try await engine(backend)
    let path = try directory.write(pattern(1_100_000), to: "long")
    let found = try #require(await opened(path, .readOnly, engine))
    #expect(!engine.closeAtOnce(found.descriptor, found.traits, openedWith: .readOnly))
    _ = OwnedDescriptor(owning: found.descriptor.rawValue)
  }

  @Test("A file whose last name was removed is closed by a request", arguments: TestBackend.real)
  func removedFile(backend: TestBackend) async throws {
    let engine = try await engine(backend)
    let path = BytePath(try directory.write(pattern(10), to: "removed"))
    let found = try #require(await opened(path.description, .readOnly, engine))
    try BorrowedDescriptor.workingDirectory.remove(path)
    #expect(!engine.closeAtOnce(found.descriptor, found.traits, openedWith: .readOnly))
    #expect(!engine.closeAtOnce(found.descriptor, found.traits, openedWith: .readWrite))
    #expect(fcntl(found.descriptor.rawValue, F_GETFD) == FD_CLOEXEC)
    _ = OwnedDescriptor(owning: found.descriptor.rawValue)
    // The scope closes a removed file, too.
    let again = BytePath(try directory.write(pattern(10), to: "removed"))
    let number = try await IOChannel.withOpen(again, .readOnly, engine: engine) { channel in
      try BorrowedDescriptor.workingDirectory.remove(again)
      #expect([UInt8](try await channel.readAll()) == pattern(10))
      return try #require(openDescriptor(of: "removed (deleted)"))
    }
    #expect(openDescriptor(of: "removed (deleted)") == nil, "\(number)")
  }

  @Test("A file of a server is opened by a request", .needs(.fuse), arguments: TestBackend.real)
  func served(backend: TestBackend) async throws {
    let engine = try await engine(backend)
    let faulty = try FaultFileSystem()
    try runSuccessfully(["cp", file.description, "\(faulty.behind)/served"])
    let path = BytePath("\(faulty.path)/served")
    for _ in 1...2 {
      let bytes = try await IOChannel.withOpen(path, .readOnly, engine: engine) {
        [UInt8](try await $0.readAll())
      }
      #expect(bytes == pattern(5000))
      #expect(engine.openAtOnce(path, .readOnly) == nil)
    }
  }

  private func symlink(_ target: String, to name: String) throws {
    try runSuccessfully(["ln", "-s", target, directory(name)])
  }

  /// Returns a descriptor of this process whose file has a name in the directory.
  private func openDescriptor(of name: String) -> Int32? {
    (0..<4096).first { number in
      let path = BytePath("/proc/self/fd/\(number)")
      let target = try? BorrowedDescriptor.workingDirectory.target(ofLink: path, length: 4096)
      return target.map { $0 == BytePath(directory(name)) } ?? false
    }
  }
}
