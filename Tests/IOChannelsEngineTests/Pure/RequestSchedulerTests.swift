import DataRegions
import Synchronization
import IOChannelsSystem
import Testing

@testable import IOChannelsEngine

@Suite("Request scheduler")
struct RequestSchedulerTests {
  @Test("A cancellation before its request needs no slot")
  func aCancellationThatComesFirstNeedsNoSlot() {
    let answers = Answers()
    let requests = (0..<2).map { tag in
      Request(
        .status(nil, following: false),
        descriptor: .workingDirectory,
        tag: tag,
        owner: answers
      )
    }
    let limits = RequestScheduler.Limits(
      requests: 1,
      pollable: 1,
      perDevice: 1,
      workersPerDevice: 1
    )
    var scheduler = RequestScheduler(limits: limits)
    var actions: [RequestScheduler.Action] = []
    scheduler.submit(requests[0])
    scheduler.start(at: 0, &actions)
    requests[1].isCancelled.store(true, ordering: .releasing)
    scheduler.cancel(requests[1], &actions)
    scheduler.start(at: 0, &actions)
    scheduler.submit(requests[1])
    #expect(scheduler.canStart == true)
    actions = []
    scheduler.start(at: 0, &actions)
    guard case .end(let request, let answer)? = actions.first else {
      Issue.record("it waits for a slot")
      return
    }
    #expect(request === requests[1] && answer == -SystemError.canceled.rawValue)
  }

  private static let second = RequestScheduler.slowAge

  private func scheduler(workersPerDevice: Int = 2) -> RequestScheduler {
    let limits = RequestScheduler.Limits(
      requests: 20,
      pollable: 1,
      perDevice: 3,
      workersPerDevice: workersPerDevice
    )
    return RequestScheduler(limits: limits)
  }

  private func request(
    _ operation: Request.Operation,
    device: UInt64,
    isDirect: Bool = false
  ) -> Request {
    Request(
      operation,
      descriptor: BorrowedDescriptor(rawValue: 9),
      traits: DescriptorTraits(
        kind: .seekable,
        fileSystem: .ext4,
        device: device,
        isDirect: isDirect
      ),
      tag: 0,
      owner: Answers()
    )
  }

  private func write(device: UInt64) -> Request {
    request(.write(DataBuffer([1])), device: device)
  }

  private func started(_ actions: [RequestScheduler.Action]) -> [Request] {
    actions.compactMap { if case .start(let request, _) = $0 { request } else { nil } }
  }

  @Test("A device has a bounded number of workers")
  func aDeviceHasABoundedNumberOfWorkers() throws {
    var scheduler = scheduler()
    var actions: [RequestScheduler.Action] = []
    let buffer = try #require(BufferPool.shared.makeBuffer(atLeast: 1))
    let writes = (0..<3).map { _ in write(device: 1) }
    let synchronization = request(.synchronize(dataOnly: true), device: 1)
    let reads = (0..<4).map { _ in request(.read(buffer, 0..<1), device: 1) }
    let direct = (0..<5).map { _ in
      request(.write(DataBuffer([1])), device: 1, isDirect: true)
    }
    let other = write(device: 2)
    let all = writes + [synchronization] + reads + direct + [other]
    for request in all { scheduler.submit(request) }
    scheduler.start(at: 0, &actions)
    let expected = writes.prefix(2) + reads.prefix(3) + direct.prefix(4) + [other]
    #expect(started(actions).elementsEqual(expected) { $0 === $1 })
    actions = []
    let isKnown = scheduler.answered(try #require(writes[1].slot), 1, &actions)
    #expect(isKnown && scheduler.canStart)
    actions = []
    scheduler.start(at: 0, &actions)
    #expect(started(actions).elementsEqual([writes[2]]) { $0 === $1 })
  }

  @Test("Wakes are shared while only writes of one device are in flight (S123)")
  func endsAreSharedWhileThereAreButWritesOfOneDevice() throws {
    var scheduler = scheduler(workersPerDevice: 12)
    var actions: [RequestScheduler.Action] = []
    var writes: [Request] = []
    /// Starts a further request, and gives how many ends may be waited for.
    func ends(with request: Request) -> Int? {
      scheduler.submit(request)
      scheduler.start(at: 0, &actions)
      return scheduler.sharedEnds?.count
    }
    let counts = (0..<12).map { _ in
      let write = write(device: 1)
      writes.append(write)
      return ends(with: write)
    }
    #expect(counts == [nil, nil, 2, 3, 3, 4, 5, 6, 6, 7, 8, 8])
    #expect(scheduler.sharedEnds?.device == 1)

    let others = [
      write(device: 2),
      request(.synchronize(dataOnly: true), device: 1),
      request(.write(DataBuffer([1])), device: 1, isDirect: true),
    ]
    // The synchronization takes the place of a write.
    _ = scheduler.answered(try #require(writes.removeLast().slot), 1, &actions)
    for other in others {
      #expect(ends(with: other) == nil, "\(other.operation)")
      _ = scheduler.answered(try #require(other.slot), 0, &actions)
      #expect(scheduler.sharedEnds?.count == 8)
    }
    for write in writes { _ = scheduler.answered(try #require(write.slot), 1, &actions) }
    #expect(scheduler.sharedEnds == nil)
  }

  @Test("Threads take requests that wait for a device that does not answer")
  func threadsTakeWhatStandsBehindADeviceThatDoesNotAnswer() throws {
    var scheduler = scheduler()
    var actions: [RequestScheduler.Action] = []
    let (stuck, behind, held) = (write(device: 1), write(device: 2), write(device: 2))
    let later = [write(device: 1), write(device: 2)]
    for request in [stuck, behind, write(device: 2), held] { scheduler.submit(request) }
    scheduler.start(at: 0, &actions)
    #expect(scheduler.needsLook == true)
    actions = []
    scheduler.look(at: Self.second - 1, &actions)
    #expect(actions.isEmpty, "it may still answer")
    scheduler.look(at: Self.second, &actions)
    // Nobody knows which of the two devices it is.
    #expect(actions.count == 3)
    let slot = try #require(behind.slot)
    actions = []
    let isKnown = scheduler.answered(slot, -SystemError.canceled.rawValue, &actions)
    #expect(isKnown && actions.isEmpty, "it is tried again")
    for request in later { scheduler.submit(request) }
    scheduler.start(at: Self.second, &actions)
    let rerouted = actions.compactMap { action -> Request? in
      if case .reroute(let request) = action { request } else { nil }
    }
    #expect(
      [held, behind, later[0], later[1]].allSatisfy { request in
        rerouted.contains { $0 === request }
      }
    )
    #expect(rerouted.count == 4)
  }

  @Test("One slow device loses nothing")
  func oneSlowDeviceLosesNothing() throws {
    var scheduler = scheduler()
    var actions: [RequestScheduler.Action] = []
    let slow = write(device: 1)
    scheduler.submit(slow)
    scheduler.start(at: 0, &actions)
    actions = []
    scheduler.look(at: Self.second, &actions)
    #expect(actions.isEmpty)
    let slot = try #require(slow.slot)
    let isKnown = scheduler.answered(slot, 1, &actions)
    #expect(isKnown && !scheduler.needsLook)
    actions = []
    let next = [write(device: 1), write(device: 2)]
    for request in next { scheduler.submit(request) }
    scheduler.start(at: Self.second, &actions)
    #expect(started(actions).count == 2, "the device has answered")
  }
}
