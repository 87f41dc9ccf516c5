import QueueRuntime
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("Opens that wait for the other end of a pipe (S113)")
struct OpeningTests {
  @Test("A pipe is opened when its other end is", arguments: Way.allCases)
  func aPipeIsOpenedWhenItsOtherEndIs(way: Way) async throws {
    let asker = Asker(try way.engine())
    let place = try TemporaryDirectory()
    let path = place("pipe")
    try runSuccessfully(["mkfifo", path])
    let opened = asker.submit(.open(BytePath(path), .readOnly, permissions: 0))
    while asker.engine.report(stuckAfter: .zero).stuck.isEmpty {}
    let writer = try openWhenThereIsAReader(path)
    let number = try #require(try await asker.answer(to: opened)?.get())
    let reader = OwnedDescriptor(owning: Int32(number))
    _ = try writer.borrowed.write([1], 0..<1)
    var byte: [UInt8] = [0]
    #expect(try reader.borrowed.read(into: &byte) == 1)
  }

  /// Waits until so many openings of pipes wait in the kernel.
  private func wait(for count: Int, in engine: Engine) async {
    while engine.report(stuckAfter: .zero).stuck.count < count { await Task.yield() }
  }

  @Test("Openings that wait for a peer delay no other opening", arguments: Way.allCases)
  func waiting(way: Way) async throws {
    let engine = try way.engine(blockingPools: BlockingPools(width: 4, waiting: 256))
    let place = try TemporaryDirectory()
    try runSuccessfully(["mkfifo", place("pipe")])
    let directory = try openFile(place.path, .directory)
    let waiting = Asker(engine)
    let requests = (0..<200).map { _ in
      waiting.submit(.open("pipe", .readOnly, permissions: 0), of: directory.borrowed)
    }
    await wait(for: 200, in: engine)
    let other = Asker(engine)
    let made = await other.ask(.open(BytePath(place("file")), [.create], permissions: 0o600))
    _ = OwnedDescriptor(owning: Int32(try #require(try made?.get())))
    for request in requests { engine.cancel(request) }
    for request in requests {
      #expect(await waiting.answer(to: request) == .failure(.canceled))
    }
    // The calls have returned, too: the kernel knows of no reader.
    #expect(engine.becomesIdle())
    #expect(throws: SystemError(rawValue: 6)) {
      _ = try openFile(place("pipe"), [.writeOnly, .nonBlocking])
    }
  }

  @Test("Cancelled openings free their threads", arguments: Way.allCases)
  func cancelled(way: Way) async throws {
    let engine = try way.engine(blockingPools: BlockingPools(width: 4, waiting: 256))
    let place = try TemporaryDirectory()
    try runSuccessfully(["mkfifo", place("pipe")])
    let asker = Asker(engine)
    // More than any pool has threads.
    for _ in 0..<8 {
      let requests = (0..<50).map { _ in
        asker.submit(.open(BytePath(place("pipe")), .readOnly, permissions: 0))
      }
      await wait(for: 50, in: engine)
      for request in requests { engine.cancel(request) }
      for request in requests {
        #expect(await asker.answer(to: request) == .failure(.canceled))
      }
      while !engine.report(stuckAfter: .zero).stuck.isEmpty { await Task.yield() }
    }
    #expect(engine.becomesIdle())
  }

  private func openWhenThereIsAReader(_ path: String) throws -> OwnedDescriptor {
    let deadline = Deadline.now() + .seconds(20)
    while Deadline.now() < deadline {
      if let writer = try? openFile(path, [.writeOnly, .nonBlocking]) { return writer }
    }
    return try openFile(path, [.writeOnly, .nonBlocking])
  }
}
