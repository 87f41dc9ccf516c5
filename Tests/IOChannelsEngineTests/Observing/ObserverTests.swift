import DataRegions
import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

/// Notes what it is told, a line each.
private final class Notes: RequestObserver, RequestOwner {
  private let lines = BargingLock<[String]>([])
  let group = WorkGroup()

  var all: [String] { lines.withLock { $0 } }

  func add(_ line: String) {
    lines.withLock { $0.append(line) }
  }

  func chose(_ choice: BackendChoice) { add("chose \(choice.usesRing)") }
  func submitted(_ request: RequestSummary, to route: Route) { add("\(request.kind) to \(route)") }
  func retried(_ request: RequestSummary, after error: SystemError) {
    add("again \(error.rawValue)")
  }
  func rerouted(_ request: RequestSummary) { add("\(request.kind) rerouted") }
  func completed(_ request: RequestSummary, _ result: TransferResult) { add("\(result)") }

  func requestEnded(_ request: Request, with result: TransferResult) {
    add("owner")
    group.leave()
  }
}

@Suite("Observers and stuck requests (S117, F16)")
struct ObserverTests {
  private func request(
    _ operation: Request.Operation,
    _ file: borrowing OwnedDescriptor,
    _ owner: Notes
  ) throws -> Request {
    owner.group.enter()
    return Request(
      operation,
      descriptor: file.borrowed,
      traits: try DescriptorTraits(of: file.borrowed),
      offset: 0,
      tag: 0,
      owner: owner
    )
  }

  @Test("An observer is notified before the owner", arguments: [RoutingPreference.ring, .pool])
  func anObserverIsToldBeforeTheOwner(routing: RoutingPreference) async throws {
    try Need.ring.orSkip()
    let notes = Notes()
    let engine = Engine(setting: "uring", routing: routing, observer: notes)
    let directory = try TemporaryDirectory()
    let file = try openFile("\(directory.path)/file", [.readWrite, .create])
    engine.submit(try request(.write(DataBuffer([1, 2, 3])), file, notes))
    try await notes.group.completion()
    #expect(notes.all == ["chose true", "write to \(routing)", "success(3)", "owner"])
    #expect(engine.becomesIdle())
  }

  @Test("The scheduler records a retry only for an observer")
  func theSchedulerNotesAnotherTryOnlyForAnObserver() throws {
    for isObserved in [false, true] {
      let notes = Notes()
      let directory = try TemporaryDirectory()
      let file = try openFile("\(directory.path)/file", [.readWrite, .create])
      let request = try request(.write(DataBuffer([1])), file, notes)
      if isObserved { request.observer = notes }
      let limits = RequestScheduler.Limits(
        requests: 1,
        pollable: 1,
        perDevice: 1,
        workersPerDevice: 1
      )
      var scheduler = RequestScheduler(limits: limits)
      var actions: [RequestScheduler.Action] = []
      scheduler.submit(request)
      scheduler.start(at: 0, &actions)
      let slot = try #require(request.slot)
      actions = []
      let isKnown = scheduler.answered(slot, -SystemError.interrupted.rawValue, &actions)
      #expect(isKnown)
      #expect(actions.count == (isObserved ? 1 : 0))
      notes.group.leave()
    }
  }

  /// A read of an empty pipe may take as long as its peer likes.
  @Test("A request that waits for a peer is not listed", arguments: Way.allCases)
  func whatWaitsForAPeerIsNotListed(way: Way) async throws {
    let engine = try way.engine()
    let ends = try PipeEnds()
    let notes = Notes()
    let buffer = try #require(BufferPool.shared.makeBuffer(atLeast: 1))
    notes.group.enter()
    let read = Request(
      .read(buffer, 0..<1),
      descriptor: ends.reading.borrowed,
      traits: try DescriptorTraits(of: ends.reading.borrowed),
      tag: 0,
      owner: notes
    )
    engine.submit(read)
    // Many looks, of which the later ones come when it has surely begun.
    for _ in 0..<100 { #expect(engine.report(stuckAfter: .zero).stuck.isEmpty) }
    #expect(notes.all == [])
    engine.cancel(read)
    try await notes.group.completion()
    #expect(notes.all == ["owner"])
  }

  /// A frozen file system keeps writes for as long as it likes; others go on.
  @Test("Stuck requests are listed", .needs(.loop), arguments: [RoutingPreference.ring, .pool])
  func stuckRequestsAreListed(routing: RoutingPreference) async throws {
    try Need.ring.orSkip()
    let image = try LoopImage(.ext4, megabytes: 32)
    let directory = try TemporaryDirectory()
    let stuck = try openFile("\(image.path)/file", [.readWrite, .create])
    let other = try openFile("\(directory.path)/file", [.readWrite, .create])
    let engine = Engine(setting: "uring", routing: routing)
    let (frozen, free) = (Notes(), Notes())
    try runSuccessfully(["fsfreeze", "-f", image.path])
    defer { _ = try? run(["fsfreeze", "-u", image.path]) }
    engine.submit(try request(.write(DataBuffer([1])), stuck, frozen))
    var found = engine.report(stuckAfter: .zero)
    while found.stuck.isEmpty { found = engine.report(stuckAfter: .zero) }
    #expect(!found.isRingSilent)
    #expect(found.stuck.map(\.request.descriptor) == [stuck.rawValue])
    #expect(found.stuck.map(\.request.kind) == [.write])
    #expect(found.stuck.map(\.request.offset) == [0])
    #expect(found.inFlightCount >= 1)
    #expect(engine.report(stuckAfter: .seconds(3600)).stuck.isEmpty)
    engine.submit(try request(.write(DataBuffer([1])), other, free))
    try await free.group.completion()
    #expect(free.all == ["owner"])
    #expect(frozen.all == [])
    try runSuccessfully(["fsfreeze", "-u", image.path])
    try await frozen.group.completion()
    #expect(engine.report(stuckAfter: .zero).stuck.isEmpty)
    #expect(engine.becomesIdle())
  }
}
