import CIOChannelsTestSupport
import QueueRuntime
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("Requests that only wait")
struct WaitingRequestTests {
  @Test("A poll ends with bytes or the end of the pipe", arguments: Way.allCases)
  func aPollEndsWhenBytesOrTheEndCome(way: Way) async throws {
    let asker = Asker(try way.engine())
    let ends = try PipeEnds()
    #expect(await asker.ask(.poll(.write), of: ends.writing.borrowed) == .success(0))
    let first = asker.submit(.poll(.read), of: ends.reading.borrowed)
    let second = asker.submit(.poll(.read), of: ends.reading.borrowed)
    _ = try ends.writing.borrowed.write([7], 0..<1)
    #expect(await asker.answer(to: first) == .success(0))
    #expect(await asker.answer(to: second) == .success(0))
    var byte: [UInt8] = [0]
    #expect(try ends.reading.borrowed.read(into: &byte) == 1, "a poll takes nothing")
    let end = asker.submit(.poll(.read), of: ends.reading.borrowed)
    let reading = ends.closeWriting()
    #expect(await asker.answer(to: end) == .success(0))
    #expect(try reading.borrowed.read(into: &byte) == 0)
    way.expectCarried(4, by: asker.engine)
  }

  @Test("A peer that stops sending makes no room", arguments: Way.allCases)
  func halfClosedPeer(way: Way) async throws {
    let asker = Asker(try way.engine())
    let ends = try PipeEnds(socketsWithMessages: false)
    ct_fill(ends.writing.rawValue)
    ct_shut_down_writing(ends.reading.rawValue)
    let wait = asker.submit(.poll(.write), of: ends.writing.borrowed)
    let end = WaitEnd()
    let waiter = Task {
      let answer = await asker.answer(to: wait)
      end.isReached.store(true, ordering: .relaxed)
      return answer
    }
    #expect(await Asker(asker.engine).ask(.timeout(.milliseconds(50))) == .success(0))
    let isEarly = end.isReached.load(ordering: .relaxed)
    #expect(!isEarly)
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    _ = try ends.reading.borrowed.read(into: &bytes)
    #expect(await waiter.value == .success(0))
  }

  private final class WaitEnd: Sendable {
    let isReached = Atomic<Bool>(false)
  }

  @Test("A file is always ready", arguments: Way.allCases)
  func aFileIsAlwaysReady(way: Way) async throws {
    let asker = Asker(try way.engine())
    let place = try TemporaryDirectory()
    let file = try openFile(try place.write([], to: "file"), .readWrite)
    #expect(await asker.ask(.poll(.read), of: file.borrowed) == .success(0))
    #expect(await asker.ask(.poll(.write), of: file.borrowed) == .success(0))
  }

  @Test("A timeout ends at its time and not before", arguments: Way.allCases)
  func aTimeoutEndsAtItsTimeAndNotBefore(way: Way) async throws {
    let asker = Asker(try way.engine())
    let start = Deadline.now()
    #expect(await asker.ask(.timeout(.milliseconds(20))) == .success(0))
    #expect(start.distance(to: .now()) >= .milliseconds(20))
    #expect(await asker.ask(.timeout(.seconds(-1))) == .success(0))
    #expect(await asker.ask(.timeout(.zero)) == .success(0))
    way.expectCarried(3, by: asker.engine)
  }

  @Test("Waits can be cancelled", arguments: Way.allCases)
  func waitsCanBeCancelled(way: Way) async throws {
    let engine = try way.engine()
    let ends = try PipeEnds()
    let waits: [Request.Operation] = [
      .poll(.read), .timeout(.seconds(3600)), .timeout(.seconds(Int64.max)),
    ]
    for round in 0..<50 {
      let asker = Asker(engine)
      let requests = waits.map { asker.submit($0, of: ends.reading.borrowed) }
      // Now and then they have surely begun.
      if round % 5 == 0 { _ = await Asker(engine).ask(.timeout(.milliseconds(2))) }
      for request in requests { engine.cancel(request) }
      for request in requests {
        #expect(await asker.answer(to: request) == .failure(.canceled))
      }
    }
  }

  @Test("Waits take no slot of disk requests", .timeLimit(.minutes(10)), arguments: Way.allCases)
  func waitsTakeNoPlaceOfWhatNeedsADisk(way: Way) async throws {
    let engine = try way.engine()
    let waits = Asker(engine)
    let requests = (0..<300).map { _ in waits.submit(.timeout(.seconds(3600))) }
    #expect(await Asker(engine).status(of: "/")?.kind == .directory)
    for request in requests { engine.cancel(request) }
    for request in requests {
      #expect(await waits.answer(to: request) == .failure(.canceled))
    }
  }
}
