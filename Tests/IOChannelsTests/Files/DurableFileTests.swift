import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@testable import IOChannels

@Suite("Durable replacements of files")
struct DurableFileTests {
  private let place: TemporaryDirectory
  private let path: String

  init() throws {
    place = try TemporaryDirectory()
    path = place("file")
  }

  private func replace(
    _ path: String,
    with text: String,
    permissions: UInt32 = 0o666,
    _ backend: TestBackend
  ) async throws {
    let engine = try backend.engine()
    try await DurableFile.replace(at: BytePath(path), permissions: permissions, engine: engine) {
      try await $0.write(DataBuffer(text.utf8))
    }
  }

  private func content(_ path: String) throws -> String { try runSuccessfully(["cat", path]) }

  private func status(_ path: String) throws -> FileStatus {
    try BorrowedDescriptor.workingDirectory.status(of: BytePath(path))
  }

  @Test(
    "Readers find the old file until the new one is complete (S228)",
    arguments: TestBackend.allCases
  )
  func oldUntilComplete(backend: TestBackend) async throws {
    try place.write(Array("old".utf8), to: "file")
    let engine = try backend.engine()
    let large = DataBuffer(pattern(3_000_000))
    let count = try await DurableFile.replace(at: BytePath(path), engine: engine) { file in
      try await file.write(large)
      #expect(try content(path) == "old")
      let hidden = names(in: place).filter { $0 != "file" }
      #expect(hidden.count == 1 && hidden.allSatisfy { $0.hasPrefix(".durable-") })
      return try await file.writeAll(AsyncStream.of(large, large))
    }
    #expect(count == 6_000_000)
    let bytes = try await IOChannel.withOpen(path) { try await $0.readAll() }
    #expect(bytes == DataBuffer(concatenating: [large, large, large]))
    #expect(names(in: place) == ["file"])
  }

  @Test(
    "The data is flushed before the rename and the directory after it (S228)",
    arguments: TestBackend.allCases
  )
  func order(backend: TestBackend) async throws {
    try place.write(Array("old".utf8), to: "file")
    let steps = StepsBackend(place, path)
    let engine = try steps.engine(backend)
    try await DurableFile.replace(at: BytePath(path), engine: engine) {
      try await $0.write(DataBuffer("new".utf8))
      #expect(steps.steps == [])
    }
    #expect(
      steps.steps == [
        .init(name: "file", content: "old", nameCount: 2),
        .init(name: "directory", content: "new", nameCount: 1),
      ]
    )
    #expect(engine.becomesIdle())
  }

  @Test("A buffer replaces a file, also an empty one (S228)")
  func buffers() async throws {
    let data = DataBuffer(pattern(100_000))
    try await DurableFile.replace(at: path, with: data)
    #expect(try await IOChannel.withOpen(path) { try await $0.readAll() } == data)
    try await DurableFile.replace(at: path, with: .empty)
    #expect(try content(path) == "")
    #expect(names(in: place) == ["file"])
  }

  @Test(
    "A new file has the given mode, reduced by the umask (S229)",
    arguments: TestBackend.allCases
  )
  func newFile(backend: TestBackend) async throws {
    for permissions in [0o666, 0o640, 0o777] as [UInt32] {
      let (new, other) = (place("new"), place("other"))
      try await replace(new, with: "a", permissions: permissions, backend)
      let flags: OpenFlags = [.writeOnly, .create]
      try await IOChannel.withOpen(other, flags, permissions: permissions) { _ in }
      #expect(try status(new).permissions == status(other).permissions)
      try runSuccessfully(["rm", new, other])
    }
  }

  @Test(
    "Mode, owner and group are kept (S229)",
    .needs(.root),
    arguments: TestBackend.allCases
  )
  func attributes(backend: TestBackend) async throws {
    try place.write(Array("old".utf8), to: "file")
    for (owner, mode) in [("12:34", "6754"), ("0:34", "600"), ("12:0", "0077")] {
      try runSuccessfully(["chown", owner, path])
      try runSuccessfully(["chmod", mode, path])
      let before = try status(path)
      try await replace(path, with: "new", backend)
      let after = try status(path)
      #expect(after.identity != before.identity)
      #expect(after.permissions == before.permissions)
      #expect(after.owner == before.owner && after.group == before.group)
    }
    #expect(try content(path) == "new")
  }

  @Test("The access list is kept, and that of the directory adds none (S229)", .needs(.root))
  func accessLists() async throws {
    let list = "getfacl -cpnE \"$0\""
    try place.write(Array("old".utf8), to: "file")
    try runSuccessfully(["chmod", "640", path])
    let plain = try runSuccessfully(["sh", "-c", list, path])
    try runSuccessfully(["setfacl", "-d", "-m", "u:65534:rwx", place.path])
    try await replace(path, with: "new", .threads)
    #expect(try runSuccessfully(["sh", "-c", list, path]) == plain)
    try runSuccessfully(["setfacl", "-m", "u:65534:r,g:12:rw", path])
    let named = try runSuccessfully(["sh", "-c", list, path])
    #expect(named.contains("user:65534:r--"))
    try await replace(path, with: "newer", .threads)
    #expect(try runSuccessfully(["sh", "-c", list, path]) == named)
    #expect(try content(path) == "newer")
  }

  @Test(
    "Without the old owner and group no user gets new rights (S229)",
    .needs(.root),
    arguments: [(0o6764, 0o744), (0o660, 0o600), (0o647, 0o677)] as [(UInt32, UInt32)]
  )
  func foreignOwner(old: UInt32, new: UInt32) throws {
    try place.write(Array("old".utf8), to: "file")
    try runSuccessfully(["chmod", "777", place.path])
    try runSuccessfully(["chown", "12:34", path])
    try runSuccessfully(["chmod", String(old, radix: 8), path])
    let file = try asFileUser(65534) { () throws(IOChannelError) in
      try UnpublishedFile(for: BytePath(path), permissions: 0o666)
    }
    let owned = OwnedDescriptor(owning: file.descriptor.rawValue)
    let directory = OwnedDescriptor(owning: file.directory.rawValue)
    try asFileUser(65534) { () throws(SystemError) in
      try file.keepAttributes()
      try file.rename()
    }
    let after = try status(path)
    #expect(after.owner == 65534 && after.group == 0)
    #expect(after.permissions == new)
    _ = (owned.rawValue, directory.rawValue)
  }

  @Test(
    "The file that symbolic links point to is replaced (S229)",
    arguments: TestBackend.allCases
  )
  func links(backend: TestBackend) async throws {
    try runSuccessfully(["mkdir", place("d"), place("e")])
    try place.write(Array("old".utf8), to: "d/file")
    try runSuccessfully(["ln", "-s", "../d/file", place("e/inner")])
    try runSuccessfully(["ln", "-s", place("e/inner"), place("outer")])
    try await replace(place("outer"), with: "new", backend)
    #expect(try content(place("d/file")) == "new")
    #expect(try status(place("outer")).kind == .symbolicLink)
    #expect(try status(place("e/inner")).kind == .symbolicLink)
    #expect(names(in: place) == ["d", "e", "outer"])
    // A link without a target gets one.
    try runSuccessfully(["ln", "-s", "d/created", place("dangling")])
    try await replace(place("dangling"), with: "created", backend)
    #expect(try content(place("d/created")) == "created")
  }

  @Test("Other hard links keep the old contents (S229)")
  func hardLinks() async throws {
    try place.write(Array("old".utf8), to: "file")
    try runSuccessfully(["ln", path, place("other")])
    try await replace(path, with: "new", .threads)
    #expect(try content(place("other")) == "old")
    #expect(try content(path) == "new")
  }
}

extension AsyncStream where Element: Sendable {
  fileprivate static func of(_ elements: Element...) -> AsyncStream<Element> {
    AsyncStream { continuation in
      for element in elements { continuation.yield(element) }
      continuation.finish()
    }
  }
}
