import CIOChannelsTestSupport
import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("File-system sources", .ends(withinMinutes: 5))
struct FileSystemSourceTests {
  private let place: TemporaryDirectory
  private let path: String
  private var here: BorrowedDescriptor { .workingDirectory }

  init() throws {
    place = try TemporaryDirectory()
    path = try place.write(Array("hello".utf8), to: "f")
  }

  private func append() throws {
    let file = try openFile(path, [.writeOnly, .append])
    _ = try file.borrowed.write([1], 0..<1)
  }

  @Test("A source has its descriptor and mask, and no mask once cancelled")
  func properties() async throws {
    let watched = try WatchedFile(path, mask: [.write, .delete])
    #expect(watched.source.handle == watched.file.rawValue)
    #expect(watched.source.mask == [.write, .delete])
    #expect(watched.source.data == [])
    try await watched.cancel()
    #expect(watched.source.mask == [])
    #expect(watched.source.handle == watched.file.rawValue)
    #expect(EventSource.FileSystemEvent.all.rawValue == 0x7f)
    #expect(EventSource.FileSystemEvent.funlock.rawValue == 0x100)
  }

  @Test("Each of many renames is reported")
  func renames() async throws {
    let watched = try WatchedFile(path, mask: .rename)
    let names = [BytePath(path), BytePath(place("g"))]
    for index in 0..<1000 {
      try here.rename(names[index % 2], to: names[1 - index % 2], replacing: false)
      try await watched.trace.reach { $0.count > index }
    }
    #expect(watched.trace.entries == [TraceEntry](repeating: .file(.rename), count: 1000))
    try await watched.cancel()
  }

  @Test("Changes while a source is suspended are reported by one call")
  func suspension() async throws {
    let watched = try WatchedFile(path)
    let witness = try WatchedFile(path, mask: [.rename, .delete])
    try await watched.source.whileSuspended {
      try append()
      try here.rename(BytePath(path), to: BytePath(place("g")), replacing: false)
      try await witness.reach(.rename)
      try watched.file.borrowed.setPermissions(0o600)
      try here.remove(BytePath(place("g")))
      try await witness.reach(.delete)
      #expect(await watched.trace.drained() == [])
    }
    let entries = try await watched.trace.entries(1)
    // The mode and the names may have been examined together.
    let events = entries.first?.fileEvents.subtracting(.attrib)
    #expect(events == [.delete, .write, .extend, .link, .rename], "\(entries)")
    #expect(await watched.trace.drained().count == 1)
    try await watched.cancel()
    try await witness.cancel()
  }

  @Test("Only events of the mask are reported")
  func masks() async throws {
    let watched = try WatchedFile(path, mask: [.extend, .rename])
    try watched.file.borrowed.setPermissions(0o600)
    // Both may be examined together: the file is longer than before in any case.
    try runSuccessfully(["truncate", "-s", "2", path])
    try runSuccessfully(["truncate", "-s", "100", path])
    try await watched.reach(.extend)
    try here.rename(BytePath(path), to: BytePath(place("g")), replacing: false)
    try await watched.reach(.rename)
    #expect(watched.events == [.extend, .rename])
    try await watched.cancel()
  }

  @Test("Two sources of one file have their own masks, and one works without the other")
  func twoSources() async throws {
    let trace = Trace()
    let writes = try WatchedFile(path, mask: [.write], trace: trace, name: "1")
    let names = try WatchedFile(path, mask: [.attrib, .rename], trace: trace, name: "2")
    try append()
    #expect(try await trace.entries(1) == [.file(of: "1", .write)])
    try names.file.borrowed.setPermissions(0o600)
    #expect(try await trace.entries(2) == [.file(of: "1", .write), .file(of: "2", .attrib)])
    names.source.cancel()
    #expect(try await trace.entries(3).last == .cancellation(of: "2"))
    try names.file.borrowed.setPermissions(0o640)
    try append()
    #expect(try await trace.entries(4).last == .file(of: "1", .write))
    writes.source.cancel()
    #expect(try await trace.entries(5).last == .cancellation(of: "1"))
  }

  @Test("A source that is added later does not receive earlier changes")
  func earlierChanges() async throws {
    let first = try WatchedFile(path)
    for _ in 0..<50 {
      try append()
      let second = try WatchedFile(path)
      try first.file.borrowed.setPermissions(0o600)
      try await second.reach(.attrib)
      #expect(second.events == .attrib)
      try await second.cancel()
    }
    try await first.cancel()
  }

  @Test("A file without names is still watched")
  func unlinked() async throws {
    let watched = try WatchedFile(path, flags: .readWrite)
    try here.remove(BytePath(path))
    try await watched.reach([.delete, .link])
    let entries = watched.trace.entries.count
    _ = try watched.file.borrowed.write([1], 0..<1)
    #expect(try await watched.trace.entries(entries + 1).last == .file(.write))
    try watched.file.borrowed.setSize(100)
    #expect(try await watched.trace.entries(entries + 2).last == .file([.write, .extend]))
    try await watched.cancel()
  }

  @Test("A directory that was moved reports its removal")
  func movedDirectory() async throws {
    try runSuccessfully(["mkdir", place("d"), place("e")])
    let watched = try WatchedFile(place("d"), mask: [.delete, .rename])
    try runSuccessfully(["mv", place("d"), place("e")])
    try await watched.reach(.rename)
    // The directory that contains it now is watched before the rename is reported.
    try runSuccessfully(["rmdir", place("e/d")])
    try await watched.reach(.delete)
    #expect(watched.trace.entries == [.file(.rename), .file(.delete)])
    try await watched.cancel()
  }

  @Test("A descriptor with O_PATH, and that of a symbolic link, can be watched")
  func handles() async throws {
    let watched = try WatchedFile(path, flags: .path)
    try append()
    try await watched.reach([.write, .extend])
    try await watched.cancel()

    try runSuccessfully(["ln", "-s", "f", place("link")])
    let link = try WatchedFile(place("link"), flags: [.path, .noFollow])
    try append()
    try runSuccessfully(["touch", "-h", place("link")])
    try await link.reach(.attrib)
    try runSuccessfully(["rm", place("link")])
    try await link.reach([.delete, .link])
    #expect(link.events == [.attrib, .delete, .link])
    try await link.cancel()
  }

  @Test("A descriptor that is not open gives a source with an error")
  func badDescriptor() async throws {
    let trace = Trace()
    let source = EventSource.makeFileSystemObjectSource(
      fileDescriptor: 1_000_000,
      eventMask: .all,
      queue: trace.queue
    )
    source.record(in: trace)
    source.activate()
    #expect(try await trace.entries(1) == [.registration])
    #expect(source.registrationError == .badFileDescriptor)
    source.cancel()
    #expect(try await trace.entries(2) == [.registration, .cancellation])
  }

  @Test("A user needs the right to read the file", .needs(.root))
  func permissions() async throws {
    try runSuccessfully(["chmod", "755", place.path])
    try runSuccessfully(["chown", "65534", path])
    let own = try openFile(path, .writeOnly)
    let foreign = try openFile(place.write([1], to: "foreign"), .writeOnly)
    try foreign.borrowed.setPermissions(0o200)
    let trace = Trace()
    let allowed = source(own, trace)
    let denied = source(foreign, trace)
    // The user of the thread counts, which starts the registration itself.
    ct_set_file_user(65534)
    allowed.activate()
    denied.activate()
    ct_set_file_user(0)
    #expect(allowed.registrationError == nil)
    #expect(denied.registrationError == .permissionDenied)
    try append()
    try await trace.reach { $0.contains(.file([.write, .extend])) }
    allowed.cancel()
    denied.cancel()
    try await trace.reach { $0.filter { $0 == .cancellation }.count == 2 }
  }

  private func source(_ file: borrowing OwnedDescriptor, _ trace: Trace) -> FileSystemSource {
    let source = EventSource.makeFileSystemObjectSource(
      fileDescriptor: file.rawValue,
      eventMask: .all,
      queue: trace.queue
    )
    source.setEventHandler { [unowned source] in trace.add(.file(source.data)) }
    source.setCancelHandler { trace.add(.cancellation) }
    return source
  }

  @Test("A process whose first thread has ended watches files and opens them again")
  func firstThreadHasEnded() throws {
    let program = BuiltProgram.observe.path
    #expect(try runSuccessfully([program, "watchFile", path]) == "reopened\nregistered\n6\n")
  }

  @Test("A source can own its descriptor")
  func ownedDescriptor() async throws {
    let trace = Trace()
    let file = try openFile(path)
    let number = file.rawValue
    let source = EventSource.makeFileSystemObjectSource(
      owning: file,
      eventMask: .attrib,
      queue: trace.queue
    )
    source.setEventHandler { trace.add(.call) }
    source.activate()
    try BorrowedDescriptor(rawValue: number).setPermissions(0o600)
    _ = try await trace.entries(1)
    source.cancel()
    // The number may be that of another file by now.
    let status = try here.status(of: BytePath(path))
    var isClosed = false
    for _ in 0..<1000 where !isClosed {
      _ = await trace.drained()
      let found = try? BorrowedDescriptor(rawValue: number).status()
      isClosed = found?.identity != status.identity
    }
    #expect(isClosed)
  }
}
