import DataRegions
import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// Memory into which the kernel reads.
protocol TransferMemory: Sendable {
  /// Returns a part that the kernel has filled.
  func filled(_ range: Range<Int>) -> DataBuffer
}

extension PooledBuffer: TransferMemory {}

/// The state machine of one read or write, from its start to the end of its last handler.
///
/// Each method processes an event and appends the actions that follow. `TransferStorage` performs
/// them in this order, without its lock.
///
/// The bytes are transferred in parts. Results are applied in file order, in whatever order they
/// arrive. The rest of a short part is requested again.
struct TransferStateMachine<Memory: TransferMemory, EngineRequest: Sendable>: Sendable {
  /// An action that follows from an event.
  enum Action: Sendable {
    /// Takes the memory of a transfer and creates its request, for `prepared` or `refused`.
    ///
    /// If the budget has no memory, it is granted later: `grantedTransfer` returns the transfer.
    case prepare(Transfer)
    /// Submits a request, whose result `answered` receives.
    case submit(EngineRequest)
    case cancel(EngineRequest)
    /// Checks whether the file has more bytes now, for `probed`.
    case probe(BorrowedDescriptor)
    /// Releases memory of the budget.
    case release(Int)
    /// Counts memory against the budget, whose limits do not matter.
    case charge(Int)
    case setPosition(BorrowedDescriptor, Int64)
    /// Calls `publish`, after the actions before.
    case publish
    /// Submits a work item with the handler to its queue.
    ///
    /// If it is counted, `submitted` has to be called afterwards.
    case callHandler(isCounted: Bool)
    case stopTimer
    /// Reports the end of the operation to the channel, after all other actions.
    case end
  }

  /// The actions that follow from one event.
  typealias Actions = ShortList<Action>

  /// A transfer of one part, for which a request is to be created.
  struct Transfer: Sendable {
    enum Content: Sendable {
      /// Reads into a range of the part's memory, which is nil before the first transfer.
      case read(Memory?, Range<Int>)
      case write(DataBuffer)
    }

    /// The number of the part.
    let part: Int
    /// The bytes of memory to take from the budget, 0 for none.
    let memory: Int
    let content: Content
    let place: TransferPlace
    /// The offset from the operation's first byte.
    let offset: Int
  }

  /// The direction, and the state that only a read has.
  enum Direction: Sendable {
    case read(ReadPlan)
    case write
  }

  enum Phase: Sendable {
    /// Earlier operations of the descriptor have not ended.
    case waiting
    /// Parts are requested.
    case transferring
    /// The operation was stopped: no part is requested, but bytes that still arrive count.
    case stopping(SystemError)
    /// The result is known, and the kernel still has requests.
    case ending(SystemError?)
    /// The last delivery is in the queue.
    case delivered
    /// As `delivered`, but cancelled before the start, which is still to come.
    case cancelled
    /// The channel was notified of the end.
    case ended
  }

  /// The objects of a part.
  ///
  /// They are separate from its numbers, whose copies then retain nothing.
  struct PartObjects: Sendable {
    /// The memory of a read, from the first request on.
    var memory: Memory?
    /// The request, while it is in flight.
    var request: EngineRequest?
  }

  /// A piece of the file whose bytes one transfer moves, or several after short ones.
  struct Part: Sendable {
    enum State: Sendable {
      /// An earlier part waits for memory.
      case waiting
      /// Memory is taken, or the request is created.
      case preparing
      case inFlight
      /// The result arrived before those of earlier parts.
      case answered(Result<Int, SystemError>)
      case idle
    }

    let number: Int
    /// The offset from the operation's first byte.
    let offset: Int
    let capacity: Int
    /// The bytes of memory that the first transfer takes from the budget.
    let memoryCount: Int
    /// The place of the part in its memory, after the bytes of its first block.
    let start: Int
    var state = State.idle
    /// Whether the part has the memory of a read.
    var hasMemory = false
    /// The bytes of the budget that the part holds.
    var heldCount = 0
    var filled = 0
    /// The bytes that were added to a delivery.
    var collected = 0
    /// Whether all earlier bytes had arrived when the part was requested.
    var isInOrder = false

    /// Whether memory is taken, or the request is created.
    var isPreparing: Bool { if case .preparing = state { true } else { false } }

    /// The bytes of the next transfer that precede the part, in its block.
    var head: Int { filled == 0 ? start : 0 }
  }

  let limits: DeliveryLimits
  private let windowBytes: Int
  var direction: Direction
  private(set) var phase = Phase.waiting
  /// The place, once the operation has started, if it has bytes.
  private var place: TransferPlace?
  /// The blocks that the bytes lie in, where that matters.
  private(set) var blocks: DirectBlocks?
  /// The parts in file order; results are applied to the first.
  var parts = ShortList<Part>()
  /// The objects of these parts, at the same places.
  var objects = ShortList<PartObjects>()
  var nextNumber = 0
  /// The number of the part that waits for memory, or whose memory is being taken.
  var memoryTaker: Int?
  /// The number of parts that are requested and not answered.
  var requestedParts = 0
  /// The bytes of these parts, for a read.
  var requestedBytes = 0
  /// The bytes of a read for the next delivery; for a write the unwritten bytes.
  var data: DataBuffer
  /// The bytes that were transferred so far, without a gap.
  var total = 0
  /// The bytes that were transferred since the last delivery.
  var undelivered = 0
  /// The bytes of a read in handlers that have not returned.
  var unreturned = 0
  var isProbing = false
  /// Whether a timer has to be stopped at the end.
  private var isTimed = false
  var deliveries = DeliveryQueue<Delivery>()
  /// The memory that the current event releases.
  var released = 0
  /// The memory of the deliveries of the current event.
  var charged = 0
  /// Whether the deliveries of the current event must not be visible before its actions.
  private var holdsDeliveries = false

  init(_ job: TransferJob, windowBytes: Int, isTimed: Bool = false) {
    self.windowBytes = windowBytes
    self.isTimed = isTimed
    switch job {
    case .read(let length, let limits, let extent):
      direction = .read(ReadPlan(length: length, extent: extent))
      self.limits = limits
      data = .empty
    case .write(let bytes, let limits):
      direction = .write
      self.limits = limits
      data = bytes
    }
  }
}

// MARK: - Start and stop

extension TransferStateMachine {
  /// Whether the last delivery is in the queue.
  var isDone: Bool {
    switch phase {
    case .waiting, .transferring, .stopping, .ending: false
    case .delivered, .cancelled, .ended: true
    }
  }

  /// The place of the next requests; nil when no further part is needed.
  var requestPlace: TransferPlace? {
    guard case .transferring = phase else { return nil }
    return place
  }

  /// Starts the operation at its place, which is nil for one without bytes, or ends it.
  mutating func start(
    at place: Result<TransferPlace?, SystemError>,
    stopError: SystemError?,
    _ actions: inout Actions
  ) {
    switch (phase, place, stopError) {
    case (.cancelled, _, _):
      phase = .delivered
    case (_, .failure(let error), _), (_, .success, let error?):
      phase = .stopping(error)
    case (_, .success(nil), nil):
      phase = .ending(nil)
    case (_, .success(let place?), nil):
      if case .read(let plan) = direction {
        return begin(at: place, plan.window(at: place, bytes: windowBytes), &actions)
      }
      return begin(at: place, .inOrder, &actions)
    }
    finishIfPossible(&actions)
    conclude(&actions)
  }

  /// Starts the operation with a given window, which limits a read.
  mutating func begin(at place: TransferPlace, _ window: ReadWindow, _ actions: inout Actions) {
    self.place = place
    phase = .transferring
    switch direction {
    case .read(var plan):
      blocks = DirectBlocks(of: place)
      plan.expect(window, place.file, step: limits.step)
      direction = .read(plan)
      if plan.length == 0 { end(nil) }
      requestReads(&actions)
    case .write:
      // Appends use the page cache (S141), and the rest of one must not wait for memory.
      blocks = place.file.traits.isAppending ? nil : DirectBlocks(of: place)
      requestWrite(&actions)
    }
    finishIfPossible(&actions)
    conclude(&actions)
  }

  /// Stops the operation: at once, or when the kernel has released all its memory.
  ///
  /// Bytes that have arrived, or still arrive, are delivered before the error.
  mutating func stop(_ error: SystemError, _ actions: inout Actions) {
    switch phase {
    case .waiting:
      deliverEnd(error, &actions)
      phase = .cancelled
    case .transferring, .stopping:
      phase = .stopping(error)
      finishIfPossible(&actions)
    case .ending, .delivered, .cancelled, .ended: break
    }
    for index in parts.indices {
      if let request = objects[index].request { actions.append(.cancel(request)) }
    }
    conclude(&actions)
  }

  /// Records the result; the last delivery follows when the kernel has no request.
  mutating func end(_ error: SystemError?) { phase = .ending(error) }

  /// Records that a timer was started, unless the last delivery is in the queue.
  ///
  /// - Returns: Whether the timer is needed.
  mutating func timerStarted() -> Bool {
    isTimed = !isDone
    return isTimed
  }

  /// Queues the last delivery once the kernel has no request, and releases all memory.
  mutating func finishIfPossible(_ actions: inout Actions) {
    if requestPlace == nil { dropUnsubmitted() }
    guard requestedParts == 0, !isProbing else { return }
    switch phase {
    case .waiting, .transferring: return
    case .stopping(let error): deliverEnd(error, &actions)
    case .ending(let error): deliverEnd(error, &actions)
    case .delivered, .cancelled, .ended: break
    }
    for index in parts.indices { releaseMemory(ofPartAt: index) }
    parts.removeAll()
    objects.removeAll()
  }

  /// Withdraws the parts whose requests were not submitted.
  private mutating func dropUnsubmitted() {
    for index in parts.indices {
      switch parts[index].state {
      case .waiting, .preparing:
        parts.change(at: index) { $0.state = .idle }
        requestedParts -= 1
      case .inFlight, .answered, .idle: break
      }
    }
  }

  /// Records that the last delivery is in the queue.
  mutating func endQueued(_ actions: inout Actions) {
    phase = .delivered
    if isTimed { actions.append(.stopTimer) }
    if let place, place.movesPosition, let first = place.first {
      actions.append(.setPosition(place.file.descriptor, first + Int64(total)))
      holdsDeliveries = true
    }
  }
}

// MARK: - The end of an event

extension TransferStateMachine {
  /// Appends the actions that any event may cause.
  mutating func conclude(_ actions: inout Actions) {
    prepareNext(&actions)
    // Memory moves from parts to deliveries, and is never counted twice.
    let moved = min(charged, released)
    if released > moved { actions.append(.release(released - moved)) }
    if charged > moved {
      // Otherwise a handler could return, and release the memory, before it is counted.
      actions.append(.charge(charged - moved))
      holdsDeliveries = true
    }
    (released, charged) = (0, 0)
    if holdsDeliveries {
      holdsDeliveries = false
      deliveries.hold()
      actions.append(.publish)
    }
    publishDeliveries(&actions)
  }

  /// Makes deliveries visible after the actions that precede them.
  mutating func publish(_ actions: inout Actions) {
    deliveries.endHold()
    publishDeliveries(&actions)
  }

  /// Records that a counted work item was submitted.
  mutating func submitted(_ actions: inout Actions) {
    deliveries.submitted()
    if mayEnd { notifyChannel(&actions) }
  }

  private mutating func publishDeliveries(_ actions: inout Actions) {
    let needsWorkItem = deliveries.publish()
    let ends = mayEnd
    if needsWorkItem {
      // The thread that ends the operation submits the work item before it notifies the channel.
      if !ends { deliveries.willSubmit() }
      actions.append(.callHandler(isCounted: !ends))
    }
    if ends { notifyChannel(&actions) }
  }

  /// Whether the operation ends with this event.
  ///
  /// The next operation may deliver only after all deliveries have their place in the handler's
  /// queue.
  private var mayEnd: Bool {
    guard case .delivered = phase else { return false }
    return requestedParts == 0 && deliveries.isSubmitted
  }

  private mutating func notifyChannel(_ actions: inout Actions) {
    phase = .ended
    actions.append(.end)
  }
}
