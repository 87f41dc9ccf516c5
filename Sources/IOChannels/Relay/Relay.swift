import DataRegions
import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem
import QueueRuntime

/// Bytes on their way from one channel to another: the lock around the state machine, whose actions
/// it performs.
///
/// A read that has ended is written by the thread that reports it, so no byte waits for a handler.
final class Relay: Sendable {
  typealias Actions = RelayState.Actions

  /// The result of a relay.
  struct Outcome: Sendable {
    /// The number of bytes that were written.
    let count: Int
    let failure: RelayState.Failure?
    /// The bytes that were read and not written.
    let unwritten: DataBuffer
  }

  /// The operation of one channel, its place once it has begun, and its request in flight.
  struct Link: Sendable {
    let end: RelayEnd
    var place: TransferPlace?
    var request: Request?
  }

  /// The operations of both channels.
  struct Links: Sendable {
    var source: Link?
    var destination: Link?

    subscript(side: RelayState.Side) -> Link? {
      get { side == .source ? source : destination }
      set { if side == .source { source = newValue } else { destination = newValue } }
    }
  }

  fileprivate struct Contents {
    var state: RelayState
    var links = Links()
    /// The memory of the read in flight.
    var memory: PooledBuffer?
    /// The bytes that were read and not written, a buffer for each piece of the state.
    var pieces = ShortList<DataBuffer>()
  }

  /// An operation that was added to the order of a channel, or the reason for its refusal.
  private struct Entrance: Sendable {
    let core: ChannelCore
    let link: Link?
    let refusal: RelayState.Failure?
    let actions: DescriptorState.Actions
  }

  /// The lock under which a relay joins the orders of both channels.
  ///
  /// So any two relays have the same order on all their descriptors, and do not wait for each
  /// other.
  private static let joining = BargingLock<Void>(())

  private let source: ChannelCore
  private let destination: ChannelCore
  /// The offsets of the first byte in both files, which streams ignore.
  private let offsets: (source: Int64, destination: Int64)
  /// The queue that resumes the task.
  private let queue: WorkQueue
  private let contents: BargingLock<Contents>
  private let result = Promise<Outcome>()

  /// Creates a relay of at most `count` bytes, which `start` starts.
  init(
    from source: ChannelCore,
    to destination: ChannelCore,
    at offsets: (source: Int64, destination: Int64) = (0, 0),
    count: Int,
    queue: WorkQueue
  ) {
    self.source = source
    self.destination = destination
    self.offsets = offsets
    self.queue = queue
    let isFile = source.kind == .random
    contents = BargingLock(
      Contents(state: RelayState(count: count, step: source.step, isFile: isFile))
    )
  }

  /// Whether the result is known.
  var isOver: Bool { contents.withLock { $0.state.isOver } }

  /// Waits for the end, once; when the waiting task is cancelled it requests an early one.
  func outcome() async -> Outcome {
    await withTaskCancellationHandler {
      await result.take()
    } onCancel: {
      stop(RelayState.Failure(side: .source, reason: .canceled))
    }
  }

  /// Ends the relay early, when the kernel has released all its memory.
  func stop(_ failure: RelayState.Failure) {
    process { contents, actions in contents.state.stop(failure, &actions) }
  }
}

// MARK: - Order

extension Relay {
  /// Adds the relay to the orders of both channels.
  func start() {
    let entrances = Self.joining.withLock { _ -> [Entrance] in
      let first = enter(source, .source)
      return first.refusal == nil ? [first, enter(destination, .destination)] : [first]
    }
    process { contents, actions in
      for link in entrances.compactMap(\.link) where contents.links[link.end.side] == nil {
        contents.links[link.end.side] = link
      }
      contents.state.joined(entrances.lazy.compactMap(\.refusal).first, &actions)
    }
    for entrance in entrances { entrance.core.entry.perform(entrance.actions) }
  }

  /// Adds the operation of a side to the order of its channel.
  private func enter(_ core: ChannelCore, _ side: RelayState.Side) -> Entrance {
    var made: RelayEnd?
    let target = OperationTarget(
      channel: core,
      direction: side == .source ? .read : .write,
      offset: side == .source ? offsets.source : offsets.destination
    )
    let (refusal, actions) = core.entry.changeDeferring { state, actions in
      state.submit(to: core.number, &actions) { id, settings in
        let end = RelayEnd(id, side, target, settings, queue: queue, relay: self)
        made = end
        return end
      }
    }
    return Entrance(
      core: core,
      link: made.map { Link(end: $0) },
      refusal: refusal.map { RelayState.Failure(side: side, reason: $0) },
      actions: actions
    )
  }

  /// Begins the operation of a side, or ends it with an error.
  ///
  /// - Returns: Whether it has ended.
  func begin(_ end: RelayEnd, on file: Result<OpenFile?, SystemError>) -> Bool {
    let found = Result<TransferPlace, SystemError> { () throws(SystemError) in
      try place(of: end, on: file.get())
    }
    let error: SystemError? = if case .failure(let reason) = found { reason } else { nil }
    var actions = Actions()
    let hasEnded = contents.withLock { contents -> Bool in
      // The operation may have ended before it began.
      if contents.state.isOver { return true }
      let place = try? found.get()
      contents.links[end.side] = Link(end: end, place: place)
      let room = place?.file.traits.messageRoom ?? 1
      return contents.state.began(end.side, error, messageRoom: room, &actions)
    }
    perform(actions)
    return hasEnded
  }

  /// Returns the place of the first byte.
  ///
  /// - Throws: `EINVAL` for direct I/O, which moves full blocks only, and for a file that would be
  ///   relayed to itself, in whose one order the write comes after the read.
  private func place(
    of end: RelayEnd,
    on file: OpenFile?
  ) throws(SystemError) -> TransferPlace {
    guard let file else { throw .invalidArgument }
    if file.traits.kind == .seekable, source.entry === destination.entry { throw .invalidArgument }
    let place = try end.target.place(in: file)
    if DirectBlocks(of: place) != nil { throw .invalidArgument }
    return place
  }
}

// MARK: - Events and actions

extension Relay {
  /// Processes the result of a request.
  func requestEnded(_ side: RelayState.Side, _ result: TransferResult) {
    process { contents, actions in contents.ended(side, result, &actions) }
  }

  /// Processes an event, and performs the actions that follow.
  private func process(_ event: (inout Contents, inout Actions) -> Void) {
    var actions = Actions()
    contents.withLock { contents in event(&contents, &actions) }
    perform(actions)
  }

  /// Performs actions, and those that follow from them. With `isGrant` the budget grants memory at
  /// this moment, and also takes back the released memory.
  ///
  /// - Returns: The memory that the budget takes back.
  @discardableResult
  private func perform(_ actions: consuming Actions, isGrant: Bool = false) -> Int {
    var released = 0
    // Only one: a peer that reads as fast as others write would occupy a thread of the engine.
    var mayTryNow = true
    var links = Links()
    var batch = consume actions
    while !batch.isEmpty {
      var next = Actions()
      for index in batch.indices {
        switch batch[index] {
        case .takeMemory(let bytes): takeMemory(bytes, &next)
        case .read(let limit):
          if let request = makeRead(upTo: limit, &next) { source.engine.submit(request) }
        case .write:
          if let request = makeWrite(&next) { write(request, mayTryNow: mayTryNow, &next) }
          mayTryNow = false
        case .cancel(let side): cancel(side)
        // The budget releases it in a loop; here the waiters would call each other.
        case .release(let bytes) where isGrant: released += bytes
        case .release(let bytes): source.account.release(bytes)
        case .report: links = report()
        case .leave(let side):
          if let end = links[side]?.end { end.target.channel.operationEnded(end) }
        }
      }
      batch = consume next
    }
    return released
  }

  /// Takes memory from the budget, or waits for it.
  ///
  /// It runs under the lock: a stop either prevents it or finds its result, so that no memory is
  /// taken for a relay that has ended.
  private func takeMemory(_ bytes: Int, _ actions: inout Actions) {
    contents.withLock { contents in
      guard contents.state.needsMemory, source.account.take(bytes, orCall: self) else { return }
      _ = contents.state.granted(&actions)
    }
  }

  /// Creates the request of a read, unless the relay was stopped before.
  private func makeRead(upTo limit: Int, _ actions: inout Actions) -> Request? {
    contents.withLock { contents in
      let error: SystemError
      if let link = contents.links.source, let place = link.place, contents.state.isRunning {
        let count = contents.state.readCount
        let memory = source.engine.buffers.makeBuffer(atLeast: limit)
        let request = memory.flatMap { memory in
          link.end.request(
            .read(memory, 0..<limit),
            .read(memory, 0..<limit),
            at: place,
            after: count
          )
        }
        if let request {
          contents.memory = memory
          contents.links.source?.request = request
          return request
        }
        error = memory == nil ? .noMemory : .invalidArgument
      } else {
        error = .canceled
      }
      contents.ended(.source, .failure(error), &actions)
      return nil
    }
  }

  /// Creates the request of a write, unless the relay was stopped before.
  private func makeWrite(_ actions: inout Actions) -> Request? {
    contents.withLock { contents in
      guard let link = contents.links.destination, let place = link.place,
        let data = contents.pieces.first, contents.state.isRunning
      else {
        contents.ended(.destination, .failure(.canceled), &actions)
        return nil
      }
      let count = contents.state.writtenCount
      guard let request = link.end.request(.write(data), .write(data), at: place, after: count)
      else {
        contents.ended(.destination, .failure(.invalidArgument), &actions)
        return nil
      }
      contents.links.destination?.request = request
      return request
    }
  }

  private func write(_ request: Request, mayTryNow: Bool, _ actions: inout Actions) {
    let engine = destination.engine
    guard mayTryNow, let result = engine.writeAtOnce(request) else { return engine.submit(request) }
    contents.withLock { $0.ended(.destination, result, &actions) }
  }

  /// Cancels the request of a side; one that is not created yet is not submitted.
  private func cancel(_ side: RelayState.Side) {
    guard let request = contents.withLock({ $0.links[side]?.request }) else { return }
    (side == .source ? source : destination).engine.cancel(request)
  }

  /// Sets the file positions, and submits the result to the queue of the task.
  ///
  /// - Returns: The operations of both channels, which the relay no longer keeps.
  private func report() -> Links {
    let (links, outcome, readCount) = contents.withLock { contents in
      let links = contents.links
      contents.links = Links()
      return (links, contents.takeOutcome(), contents.state.readCount)
    }
    links.source?.place?.move(by: readCount)
    links.destination?.place?.move(by: outcome.count)
    queue.deliver { [result] in
      result.set(outcome)
      for case let end? in [links.source?.end, links.destination?.end] {
        let failure = outcome.failure.flatMap { $0.side == end.side ? $0.reason : nil }
        end.target.channel.handlersReturned(from: end, failure)
      }
    }
    return links
  }
}

extension Relay: BudgetWaiter {
  func memoryGranted(_ bytes: Int) -> Int {
    var actions = Actions()
    // The relay may have ended in the meantime.
    guard contents.withLock({ $0.state.granted(&actions) }) else { return bytes }
    return perform(actions, isGrant: true)
  }
}

extension Relay.Contents {
  /// Processes the result of a request.
  fileprivate mutating func ended(
    _ side: RelayState.Side,
    _ result: TransferResult,
    _ actions: inout Relay.Actions
  ) {
    links[side]?.request = nil
    let count = max((try? result.get()) ?? 0, 0)
    switch side {
    case .source:
      if let memory = memory.take(), count > 0 {
        pieces.append(DataBuffer(owner: memory, range: 0..<count))
      }
      state.readEnded(result, &actions)
    case .destination:
      if let first = pieces.first, count > 0 {
        if count < first.count {
          pieces.change(at: 0) { $0 = $0.subdata(in: count..<first.count) }
        } else {
          pieces.remove(at: 0)
        }
      }
      state.writeEnded(result, &actions)
    }
  }

  /// Returns the result, and the bytes that are left.
  fileprivate mutating func takeOutcome() -> Relay.Outcome {
    var unwritten = DataBuffer.empty
    for piece in pieces { unwritten.append(piece) }
    pieces.removeAll()
    return Relay.Outcome(
      count: state.writtenCount,
      failure: state.failure,
      unwritten: unwritten
    )
  }
}

extension TransferPlace {
  /// Sets the file position behind so many bytes, if it has to follow them.
  fileprivate func move(by count: Int) {
    guard movesPosition, let first else { return }
    // The position was readable at the start; a closed descriptor has none.
    _ = try? file.descriptor.setPosition(first + Int64(count))
  }
}
