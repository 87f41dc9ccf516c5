import QueueRuntime
import IOChannelsEngine
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

/// The ways on which every kind of request has to end alike.
enum Way: String, CaseIterable, Sendable {
  /// A ring that carries every transfer.
  case ring
  /// An engine with a ring that carries nothing.
  case pool
  /// An engine without a ring.
  case threads

  func engine(
    pool: BlockingPool = .transfers,
    blockingPools: BlockingPools = .shared,
    observer: (any RequestObserver)? = nil
  ) throws -> Engine {
    if self == .threads {
      return Engine(
        setting: "threads",
        pool: pool,
        blockingPools: blockingPools,
        observer: observer
      )
    }
    try Need.ring.orSkip()
    let engine = Engine(
      setting: "uring",
      routing: self == .ring ? .ring : .pool,
      pool: pool,
      blockingPools: blockingPools,
      observer: observer
    )
    #expect(engine.choice.usesRing, "\(engine.choice.reason)")
    return engine
  }

  /// Checks that this way, and no other, has carried so many requests, of which a ring has the
  /// transfers.
  func expectCarried(_ count: Int, transfers: Int? = nil, by engine: Engine) {
    let onRing = self == .ring ? transfers ?? count : 0
    #expect(engine.counts.ringRequests == onRing)
    #expect(engine.counts.threadRequests == count - onRing)
  }
}

/// Makes requests of one engine and waits for their answers, one after the other or at once.
final class Asker {
  let engine: Engine
  private let answers = Answers()
  private var count = 0

  init(_ engine: Engine) {
    self.engine = engine
  }

  /// Submits a request without waiting for its end.
  @discardableResult
  func submit(
    _ operation: Request.Operation,
    of descriptor: BorrowedDescriptor = .workingDirectory,
    traits: DescriptorTraits = .unknown,
    offset: Int64? = nil,
    priority: WorkQueue.QoS.QoSClass = .unspecified
  ) -> Request {
    let request = Request(
      operation,
      descriptor: descriptor,
      traits: traits,
      offset: offset,
      priority: priority,
      tag: count,
      owner: answers
    )
    count += 1
    engine.submit(request)
    return request
  }

  /// The answer of a request; all that were submitted have ended then.
  func answer(to request: Request) async -> TransferResult? {
    await answers.results(count)[request.tag]
  }

  /// Submits a request and waits for its end.
  func ask(
    _ operation: Request.Operation,
    of descriptor: BorrowedDescriptor = .workingDirectory,
    offset: Int64? = nil
  ) async -> TransferResult? {
    await answer(to: submit(operation, of: descriptor, offset: offset))
  }

  /// Looks at a file.
  func status(
    of path: BytePath?,
    following: Bool = false,
    in descriptor: BorrowedDescriptor = .workingDirectory
  ) async -> FileStatus? {
    let request = submit(.status(path, following: following), of: descriptor)
    guard await answer(to: request) == .success(0) else { return nil }
    return request.status
  }
}
