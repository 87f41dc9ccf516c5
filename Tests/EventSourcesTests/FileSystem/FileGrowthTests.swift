import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Growth of files")
struct FileGrowthTests {
  private let place: TemporaryDirectory
  private let path: String

  init() throws {
    place = try TemporaryDirectory()
    path = try place.write(Array("hello".utf8), to: "f")
  }

  @Test("Growth is reported once, and other changes are not")
  func once() async throws {
    let trace = Trace()
    let file = try openFile(path, .readWrite)
    let watched = try WatchedFile(path, mask: [.write, .attrib])
    let growth = try FileGrowth.await(file.borrowed) { trace.add(.mark("grown")) }
    try file.borrowed.setSize(3)
    try await watched.reach(.write)
    try file.borrowed.setPermissions(0o600)
    try await watched.reach(.attrib)
    #expect(trace.entries == [])
    try file.borrowed.setSize(4)
    #expect(try await trace.entries(1) == [.mark("grown")])
    try file.borrowed.setSize(10)
    try file.borrowed.setPermissions(0o640)
    try await watched.trace.reach { $0.filter { $0.fileEvents.contains(.attrib) }.count == 2 }
    #expect(trace.entries == [.mark("grown")])
    growth.cancel()
    growth.cancel()
    try await watched.cancel()
  }

  @Test("A wait that was cancelled reports nothing")
  func cancelled() async throws {
    let trace = Trace()
    let file = try openFile(path, .readWrite)
    let watched = try WatchedFile(path, mask: .extend)
    let growth = try FileGrowth.await(file.borrowed) { trace.add(.mark("grown")) }
    growth.cancel()
    try file.borrowed.setSize(10)
    try await watched.reach(.extend)
    #expect(trace.entries == [])
    try await watched.cancel()
  }

  @Test("A descriptor that is not open is refused")
  func badDescriptor() {
    #expect(throws: SystemError.badFileDescriptor) {
      _ = try FileGrowth.await(BorrowedDescriptor(rawValue: 1_000_000)) {}
    }
  }
}
