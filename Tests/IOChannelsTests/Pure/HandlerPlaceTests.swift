import QueueRuntime
import RequestEngine
import SystemCalls
import TestSupport
import Testing

@testable import IOChannels

/// Where handlers run.
@Suite struct HandlerPlaceTests {
  @Test func aHandlerOfTheLibraryRunsBeforeTheCallReturns() {
    let calls = BargingLock(0)
    HandlerPlace.anyThread(.utility).run { calls.withLock { $0 += 1 } }
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func aHandlerOfAProgramWaitsForItsQueue() {
    let queue = WorkQueue(label: "handlers", qos: .background)
    let calls = BargingLock(0)
    queue.suspend()
    HandlerPlace.queue(queue).run { calls.withLock { $0 += 1 } }
    #expect(calls.withLock { $0 } == 0)
    queue.resume()
    queue.sync {}
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func requestsHaveTheClassOfThePlace() {
    let queue = WorkQueue(label: "handlers", qos: .background)
    #expect(HandlerPlace.queue(queue).effectiveClass == .background)
    #expect(HandlerPlace.anyThread(.userInitiated).effectiveClass == .userInitiated)
  }

  /// A task that awaits an operation goes on without a thread of a queue in between.
  @Test(arguments: TestBackend.real)
  func theEndOfAnAwaitedOperationNeedsNoQueue(backend: TestBackend) async throws {
    if backend == .ring { try Need.ring.orSkip() }
    let file = try FileOfBytes(pattern(3 << 20))
    let place = try AsyncPlace(backend, .random, file.opened(.readWrite))
    let core = place.channel.core
    let names = ThreadNames()
    let transfer = TaskTransfer(.read) { place, handler in
      core.read(offset: 0, length: 3 << 20, place: place) { isDone, data, error in
        names.expect()
        names.note()
        handler(isDone, data, error)
      }
    }
    #expect(await transfer.outcome().data.count == 3 << 20)
    #expect(names.count > 0)
    #expect(!names.all.contains { $0.hasPrefix("queue-") }, "\(names.all)")
    await place.close()
  }
}
