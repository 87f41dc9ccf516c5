import CIOChannelsTestSupport
import IOChannelsTestSupport
import Testing

@testable import EventSources

/// Changes that no shell command makes; `FileSystemGoldenTests` has those that one does.
@Suite("Changes of files by system calls")
struct FileChangeTests {
  /// Makes a change of a file on two file systems and checks that its events are reported.
  private func check(
    _ events: EventSource.FileSystemEvent,
    _ change: (_ path: String) -> Int32
  ) async throws {
    let image = try LoopImage(.ext4, megabytes: 8)
    let memory = try MemoryFileSystem(kibibytes: 1024)
    for place in [image.path, memory.path] {
      let path = "\(place)/f"
      try runSuccessfully(["sh", "-ec", "printf hello >f; : >g"], directory: place)
      let watched = try WatchedFile(path)
      #expect(change(path) == 0)
      try await watched.reach(events)
      // A change that is certainly reported follows.
      try watched.file.borrowed.setPermissions(0o701)
      try await watched.reach(.attrib)
      #expect(watched.events == events.union(.attrib))
      try await watched.cancel()
    }
  }

  @Test("An exchange of two names is a rename", .needs(.loop))
  func exchange() async throws {
    try await check(.rename) { unsafe ct_exchange_names($0, $0.dropLast() + "g") }
  }

  @Test("A splice is a write", .needs(.loop))
  func splice() async throws {
    try await check([.write, .extend]) { unsafe ct_splice_byte($0) }
  }

  @Test("A change through a memory mapping is not reported", .needs(.loop))
  func mapping() async throws {
    try await check([]) { unsafe ct_write_through_mapping($0) }
  }

  @Test("A change of an inode's flags is a change of attributes at most", .needs(.loop))
  func flags() async throws {
    try await check([]) { unsafe ct_set_no_dump($0) }
  }

  @Test(
    "A file system with a watched file is busy, and stays watched behind a lazy unmount",
    .needs(.loop)
  )
  func unmount() async throws {
    let image = try LoopImage(.ext4, megabytes: 8)
    try runSuccessfully(["sh", "-ec", "printf hello >f"], directory: image.path)
    let watched = try WatchedFile("\(image.path)/f", flags: .readWrite)
    #expect(try !run(["umount", image.path]).succeeded)
    try runSuccessfully(["umount", "-l", image.path])
    try watched.file.borrowed.setSize(9)
    try await watched.reach([.write, .extend])
    #expect(!watched.events.contains(.revoke))
    try await watched.cancel()
  }
}
