import CIOChannelsTestSupport
import DataRegions
import QueueRuntime
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("Transfers that wait for a peer")
struct WaitingRequestTests {
  private func byte() throws -> Request.Operation {
    .read(try #require(BufferPool.shared.makeBuffer(atLeast: 1)), 0..<1)
  }

  @Test("A read of a pipe ends when bytes or the end come", arguments: Way.allCases)
  func pipeReads(way: Way) async throws {
    let asker = Asker(try way.engine())
    let ends = try PipeEnds()
    let traits = try DescriptorTraits(of: ends.reading.borrowed)
    let first = asker.submit(try byte(), of: ends.reading.borrowed, traits: traits)
    let second = asker.submit(try byte(), of: ends.reading.borrowed, traits: traits)
    _ = try ends.writing.borrowed.write([7, 8], 0..<2)
    #expect(await asker.answer(to: first) == .success(1))
    #expect(await asker.answer(to: second) == .success(1))
    let end = asker.submit(try byte(), of: ends.reading.borrowed, traits: traits)
    let reading = ends.closeWriting()
    #expect(await asker.answer(to: end) == .success(0))
    _ = reading.rawValue
    way.expectCarried(3, by: asker.engine)
  }

  @Test("A peer that stops sending makes no room", arguments: Way.allCases, [false, true])
  func halfClosedPeer(way: Way, isNonBlocking: Bool) async throws {
    let routes = Routes()
    let engine = try way.engine(observer: routes)
    let asker = Asker(engine)
    let ends = try PipeEnds(socketsWithMessages: false)
    ct_fill(ends.writing.rawValue)
    try ends.writing.borrowed.setStatusFlags(isNonBlocking ? .nonBlocking : [])
    ct_shut_down_writing(ends.reading.rawValue)
    let write = asker.submit(
      .write(DataBuffer([1])),
      of: ends.writing.borrowed,
      traits: try DescriptorTraits(of: ends.writing.borrowed)
    )
    // The ring reports the half-closed peer once, and then a thread waits for room.
    let isRerouted = way == .ring && isNonBlocking
    let (other, limit) = (Asker(engine), Deadline.now() + .seconds(20))
    var looks = 0
    while looks < 20 || isRerouted && routes.reroutes.withLock({ $0 }) == 0, .now() < limit {
      #expect(await other.status(of: "/") != nil)
      looks += 1
    }
    #expect(routes.ends.withLock { $0 } == 0)
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    _ = try ends.reading.borrowed.read(into: &bytes)
    #expect(await asker.answer(to: write) == .success(1))
    #expect(routes.retries.withLock { $0 } == (isRerouted ? 1 : 0))
    #expect(routes.reroutes.withLock { $0 } == (isRerouted ? 1 : 0))
  }

  /// Counts what happens to writes.
  private final class Routes: RequestObserver {
    let retries = Mutex(0)
    let reroutes = Mutex(0)
    let ends = Mutex(0)

    func chose(_ choice: BackendChoice) {}
    func submitted(_ request: RequestSummary, to route: Route) {}
    func retried(_ request: RequestSummary, after error: SystemError) {
      if request.kind == .write { retries.withLock { $0 += 1 } }
    }
    func rerouted(_ request: RequestSummary) {
      if request.kind == .write { reroutes.withLock { $0 += 1 } }
    }
    func completed(_ request: RequestSummary, _ result: TransferResult) {
      if request.kind == .write { ends.withLock { $0 += 1 } }
    }
  }

  @Test("Waiting reads can be cancelled", arguments: Way.allCases, [false, true])
  func cancellation(way: Way, isNonBlocking: Bool) async throws {
    let engine = try way.engine()
    let ends = try PipeEnds()
    if isNonBlocking { try ends.reading.borrowed.setStatusFlags(.nonBlocking) }
    let traits = try DescriptorTraits(of: ends.reading.borrowed)
    for round in 0..<50 {
      let asker = Asker(engine)
      let requests = try (0..<3).map { _ in
        asker.submit(try byte(), of: ends.reading.borrowed, traits: traits)
      }
      // In some rounds the reads have begun.
      if round % 5 == 0 { _ = await Asker(engine).status(of: "/") }
      for request in requests { engine.cancel(request) }
      for request in requests {
        #expect(await asker.answer(to: request) == .failure(.canceled))
      }
    }
  }

  @Test(
    "Waiting reads leave room for requests that need a disk",
    .timeLimit(.minutes(10)),
    arguments: Way.allCases
  )
  func roomBesidesWaits(way: Way) async throws {
    let engine = try way.engine()
    let waits = Asker(engine)
    let ends = try PipeEnds()
    let traits = try DescriptorTraits(of: ends.reading.borrowed)
    let requests = try (0..<300).map { _ in
      waits.submit(try byte(), of: ends.reading.borrowed, traits: traits)
    }
    #expect(await Asker(engine).status(of: "/")?.kind == .directory)
    for request in requests { engine.cancel(request) }
    for request in requests {
      #expect(await waits.answer(to: request) == .failure(.canceled))
    }
  }
}
