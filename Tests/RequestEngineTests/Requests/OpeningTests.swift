import QueueRuntime
import SystemCalls
import TestSupport
import Testing

@testable import RequestEngine

/// Openings that wait for the other end of a pipe: S113.
@Suite struct OpeningTests {
  @Test(arguments: Way.allCases)
  func aPipeIsOpenedWhenItsOtherEndIs(way: Way) async throws {
    let asker = Asker(try way.engine())
    let place = try TemporaryDirectory()
    let path = place("pipe")
    try runSuccessfully(["mkfifo", path])
    let opened = asker.submit(.open(FilePath(path), .readOnly, permissions: 0))
    while asker.engine.stuckRequests(after: .zero).entries.isEmpty {}
    let writer = try openWhenThereIsAReader(path)
    let number = try #require(try await asker.answer(to: opened)?.get())
    let reader = FileDescriptor(owning: Int32(number))
    _ = try writer.borrowed.write([1], 0..<1)
    var byte: [UInt8] = [0]
    #expect(try reader.borrowed.read(into: &byte) == 1)
  }

  @Test(arguments: Way.allCases)
  func openingsThatWaitKeepNobodyAndEnd(way: Way) async throws {
    let engine = try way.engine(pool: BlockingPool(lane: "open", width: 2, maximum: 16))
    let place = try TemporaryDirectory()
    let path = place("pipe")
    try runSuccessfully(["mkfifo", path])
    let directory = try openFile(place.path, .directory)
    let waiting = Asker(engine)
    let requests = (0..<20).map { _ in
      waiting.submit(.open("pipe", .readOnly, permissions: 0), of: directory.borrowed)
    }
    while engine.stuckRequests(after: .zero).entries.count < 4 {}
    let other = Asker(engine)
    let made = await other.ask(.open(FilePath(place("file")), [.create], permissions: 0o600))
    _ = FileDescriptor(owning: Int32(try #require(try made?.get())))
    for request in requests { engine.cancel(request) }
    for request in requests {
      #expect(await waiting.answer(to: request) == .failure(.canceled))
    }
    #expect(engine.shutDown(within: .zero) == Shutdown(stuckOnThreads: 4))
    // What is opened too late is closed, and then there is no reader any more.
    let writer = try openWhenThereIsAReader(path)
    let events = try ReadinessQueue()
    try events.add(writer.borrowed, forReading: true, token: 1)
    #expect(try events.next(within: 10_000) != nil)
  }

  private func openWhenThereIsAReader(_ path: String) throws -> FileDescriptor {
    let deadline = Deadline.now() + .seconds(20)
    while Deadline.now() < deadline {
      if let writer = try? openFile(path, [.writeOnly, .nonBlocking]) { return writer }
    }
    return try openFile(path, [.writeOnly, .nonBlocking])
  }
}
