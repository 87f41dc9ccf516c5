import CIOChannelsTestSupport
import Glibc
import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Changes of several kinds together", .ends(withinMinutes: 5))
struct ChangesTogetherTests {
  private let place: TemporaryDirectory
  private var here: BorrowedDescriptor { .workingDirectory }

  init() throws { place = try TemporaryDirectory() }

  private static let rounds = Tier.count(quick: 100, full: 2_000)

  /// Makes two changes of a file within 0.1 ms, and waits for the event of the second one.
  private func check(
    _ round: Int,
    _ watched: WatchedFile,
    _ event: EventSource.FileSystemEvent,
    first: () throws -> Void,
    second: () throws -> Void
  ) async throws {
    try first()
    // The first change is examined before, during or after the second one.
    let end = KernelClock.uptime.nanoseconds + Int64(round % 50) * 2_000
    while KernelClock.uptime.nanoseconds < end {}
    try second()
    try await watched.reach(event)
    try await watched.cancel()
  }

  @Test("A write followed by an unlink reports the deletion")
  func writeAndUnlink() async throws {
    for round in 0..<Self.rounds {
      let path = try place.write([1], to: "f\(round)")
      let writer = try openFile(path, .writeOnly)
      try await check(round, try WatchedFile(path), .delete) {
        try writer.borrowed.setSize(0)
      } second: {
        try here.remove(BytePath(path))
      }
    }
  }

  @Test("A change of the mode followed by a growth reports the growth")
  func modeAndGrowth() async throws {
    for round in 0..<Self.rounds {
      let path = try place.write([1], to: "f\(round)")
      let writer = try openFile(path, .writeOnly)
      try await check(round, try WatchedFile(path), .extend) {
        try writer.borrowed.setPermissions(0o600)
      } second: {
        try writer.borrowed.setSize(100)
      }
    }
  }

  @Test("The removal of a directory after that of its content is reported")
  func tree() async throws {
    for round in 0..<Self.rounds {
      let path = place("d\(round)")
      try runSuccessfully(["sh", "-ec", "mkdir \(path); : >\(path)/f"])
      let watched = try WatchedFile(path)
      try runSuccessfully(["rm", "-r", path])
      try await watched.reach(.delete)
      try await watched.cancel()
    }
  }

  @Test("A change of the mode and a removed name that are examined together are both reported")
  func modeAndName() throws {
    let path = try place.write([1], to: "f")
    let watcher = FileWatcher(kernel: try NotificationKernel())
    let file = try openFile(path, .readWrite)
    let collector = EventCollector()
    let member = try watcher.add(file.rawValue, mask: .all, collector)
    watcher.queue.suspend()
    try file.borrowed.setPermissions(0o600)
    try here.remove(BytePath(path))
    watcher.queue.resume()
    watcher.pass()
    #expect(collector.take() == [.attrib, .delete, .link])
    watcher.remove(member)
  }

  @Test("A watch that ended while reports were lost is created anew")
  func endInOverflow() throws {
    let path = try place.write([1], to: "f")
    try here.link(BytePath(path), in: here, as: BytePath(place("second")))
    let file = try openFile(path, .readWrite)
    let noise = try openFile(try place.write([1], to: "noise"), .readWrite)
    let watcher = FileWatcher(kernel: try NotificationKernel())
    let collector = EventCollector()
    let members = [
      try watcher.add(file.rawValue, mask: .all, collector),
      try watcher.add(noise.rawValue, mask: .all, EventCollector()),
    ]
    watcher.queue.suspend()
    for index in 0..<10_000 {
      try noise.borrowed.setSize(Int64(index % 7))
      try noise.borrowed.setPermissions(0o600)
    }
    // The kernel ends the watch with the last name.
    try here.remove(BytePath(path))
    try here.remove(BytePath(place("second")))
    watcher.queue.resume()
    watcher.pass()
    #expect(collector.take() == [.delete, .link])
    try file.borrowed.setSize(100)
    watcher.pass()
    #expect(collector.take() == [.write, .extend])
    for member in members { watcher.remove(member) }
  }

  @Test("A child of a fork cannot use the kernel's queue of its parent")
  func fork() async {
    await #expect(processExitsWith: .success) {
      let place = try TemporaryDirectory()
      let path = try place.write([1], to: "f")
      let watched = try WatchedFile(path, flags: .readWrite)
      let child = ct_fork()
      if child == 0 {
        let source = EventSource.makeFileSystemObjectSource(
          fileDescriptor: watched.file.rawValue,
          eventMask: .all
        )
        source.activate()
        _exit(source.registrationError == .ownerDied ? 0 : 1)
      }
      #expect(ct_wait(child, 20_000).exit_status == 0)
      try watched.file.borrowed.setSize(100)
      try await watched.reach([.write, .extend])
      try await watched.cancel()
    }
  }
}
