import QueueRuntime
import Synchronization
import IOChannelsSystem

/// Decides which requests the kernel has, and what follows from its answers.
///
/// Events go in and actions come out, to be done in their order. Nothing here knows a kernel, a
/// thread or a clock: the ring's thread drives it, and so does the simulator.
package struct RequestScheduler: ~Copyable {
  /// What whoever drives the scheduler does next.
  package enum Action {
    /// Hand a request to the kernel.
    case start(Request, SlotID)
    /// Have the kernel tell when the request's descriptor is ready.
    case awaitReadiness(Request, SlotID)
    /// Ask the kernel to end a request early.
    case cancel(SlotID)
    /// Tell the owner of a request how it ended: the kernel's number, negative for an error.
    case end(Request, Int32)
    /// Tell the observer of a request that it is tried again after this answer.
    case noteRetry(Request, Int32)
    /// Hand a request to the threads, for good.
    case reroute(Request)
    /// Have the threads end a request early.
    case cancelRerouted(Request)
  }

  /// The most requests that the kernel has at a time.
  package struct Limits: Sendable {
    /// In all.
    package var requests: Int
    /// Of those that may wait for a peer, which leaves slots to the others.
    package var pollable: Int
    /// For one device: beyond that the kernel would let the submitter wait.
    package var perDevice: Int
    /// For one device, of those that usually take a worker thread of the kernel's, and twice as
    /// many of those that rarely do: a device that does not answer leaves workers to the others.
    /// All these come on top of the others of the device.
    package var workersPerDevice: Int
    /// Of the bytes of one buffered write of a file (S178).
    package var piece: Int

    /// Wraps the numbers.
    package init(
      requests: Int,
      pollable: Int,
      perDevice: Int,
      workersPerDevice: Int,
      piece: Int = Request.pieceLimit
    ) {
      self.piece = piece
      self.requests = requests
      self.pollable = pollable
      self.perDevice = perDevice
      self.workersPerDevice = workersPerDevice
    }
  }

  /// A request in the kernel's hands.
  private struct Flight {
    var request: Request
    var start: Int64
    /// Whether the owner was told an end that the kernel does not know of.
    var isGivenUp = false
  }

  private let limits: Limits
  private var inFlight: SlotTable<Flight>
  private var pollableCount = 0
  /// Requests that wait for a slot or for another attempt.
  private var ready = FirstInFirstOut<Request>()
  private var devices = DeviceLines()
  private var hasCancelledReady = false
  /// Requests in the kernel's hands that may have a worker, and the writes of those that mostly do.
  private var workerCount = 0
  private var workerWriteCount = 0

  /// Makes a scheduler without requests.
  package init(limits: Limits) {
    self.limits = limits
    #if MUTANTS
      let surplus = Mutant.oneRequestTooMany.isActive ? 1 : 0
    #else
      let surplus = 0
    #endif
    inFlight = SlotTable(capacity: limits.requests + surplus)
  }

  /// Whether `start` would hand something to the kernel or end it.
  package var canStart: Bool {
    hasCancelledReady || !inFlight.isFull && (!ready.isEmpty || devices.canStart)
  }

  /// Whether no request is here.
  var isEmpty: Bool { inFlightCount == 0 && waitingCount == 0 }

  /// The number of requests in the kernel's hands.
  package var inFlightCount: Int { inFlight.count }

  /// The most ends that are waited for at once.
  static let sharedEndLimit = 8

  /// How many ends may be waited for at once, and the device that they are of.
  ///
  /// The kernel has but writes of one device, of which its workers carry out those of a file one
  /// after the other: as long as a quarter of them wait for their turn, the device has work while
  /// owners hear of several ends together.
  var sharedEnds: (count: Int, device: UInt64)? {
    let count = workerWriteCount
    guard count > 2, count == inFlightCount else { return nil }
    let busy = devices.lines.filter { $0.count > 0 }
    guard busy.count == 1 else { return nil }
    return (min(count * 3 / 4, Self.sharedEndLimit), busy[0].name.device)
  }

  /// The number of requests that wait.
  package var waitingCount: Int { ready.count + devices.heldCount }
}

// MARK: - Requests come

extension RequestScheduler {
  /// Takes a request, which waits for `start`.
  package mutating func submit(_ request: Request) {
    ready.append(request)
    // Its cancellation may have come first, and then no further one comes.
    if request.isCancelled.load(ordering: .acquiring) { hasCancelledReady = true }
  }

  /// Notes that a request was cancelled; it may have ended.
  package mutating func cancel(_ request: Request, _ actions: inout [Action]) {
    if request.isRerouted {
      actions.append(.cancelRerouted(request))
    } else if let slot = request.slot, inFlight[slot]?.request === request {
      actions.append(.cancel(slot))
      #if MUTANTS
        if Mutant.bufferFreedAtCancel.isActive { _ = answered(slot, Self.canceled, &actions) }
      #endif
    } else {
      // It has ended, or it waits and ends when it is looked at.
      hasCancelledReady = true
    }
  }

  /// Starts what waits, as far as the limits allow, in order of submission for each device.
  package mutating func start(at now: Int64, _ actions: inout [Action]) {
    if hasCancelledReady { endCancelled(&actions) }
    for index in devices.lines.indices {
      while !inFlight.isFull, devices.lines[index].canStart,
        let request = devices.lines[index].held.popFirst()
      {
        if isBehindSlowWorker(request) {
          reroute(request, &actions)
        } else {
          start(request, on: index, at: now, &actions)
        }
      }
    }
    while !inFlight.isFull, let request = ready.popFirst() {
      if request.isCancelled.load(ordering: .acquiring) {
        actions.append(.end(request, request.whole(Self.canceled)))
      } else if request.waitsForPeer, pollableCount >= limits.pollable {
        reroute(request, &actions)
      } else if let index = line(of: request) {
        if isBehindSlowWorker(request) {
          reroute(request, &actions)
        } else if devices.lines[index].isFull {
          devices.lines[index].held.append(request)
        } else {
          start(request, on: index, at: now, &actions)
        }
      } else {
        start(request, on: nil, at: now, &actions)
      }
    }
  }

  private mutating func start(
    _ request: Request,
    on line: Int?,
    at now: Int64,
    _ actions: inout [Action]
  ) {
    guard let slot = inFlight.insert(Flight(request: request, start: now)) else {
      preconditionFailure("A request starts only while a slot is free.")
    }
    request.slot = slot
    request.cut(at: limits.piece)
    if let line { devices.lines[line].count += 1 } else { pollableCount += 1 }
    if request.workerNeed != .none { workerCount += 1 }
    if request.isWorkerWrite { workerWriteCount += 1 }
    actions.append(request.awaitsReadiness ? .awaitReadiness(request, slot) : .start(request, slot))
  }

  /// Notes that the kernel has a request no more.
  private mutating func leave(_ request: Request) {
    if let line = line(of: request) { devices.lines[line].ended() } else { pollableCount -= 1 }
    if request.workerNeed != .none { workerCount -= 1 }
    if request.isWorkerWrite { workerWriteCount -= 1 }
  }

  /// Ends what was cancelled before the kernel had it, which full tables would keep for long.
  private mutating func endCancelled(_ actions: inout [Action]) {
    hasCancelledReady = false
    let ended = ready.removeAll { $0.isCancelled.load(ordering: .acquiring) }
    let held = devices.removeHeld { $0.isCancelled.load(ordering: .acquiring) }
    for request in ended + held { actions.append(.end(request, request.whole(Self.canceled))) }
  }

  private mutating func reroute(_ request: Request, _ actions: inout [Action]) {
    request.isRerouted = true
    request.awaitsReadiness = false
    actions.append(.reroute(request))
  }

  /// The line of a request's device; what may wait for a peer has none.
  private mutating func line(of request: Request) -> Int? {
    guard !request.waitsForPeer else { return nil }
    let need = request.workerNeed
    let limit =
      switch need {
      case .none: limits.perDevice
      case .rare: limits.workersPerDevice * 2
      case .usual: limits.workersPerDevice
      }
    return devices.index(of: .init(device: request.device, means: .place(need)), limit: limit)
  }

  private static let canceled = -SystemError.canceled.rawValue
}

// MARK: - Answers come

extension RequestScheduler {
  /// Takes the kernel's answer; one for a slot that is used otherwise by now is passed over.
  ///
  /// - Returns: Whether a request was waiting for it.
  package mutating func answered(_ slot: SlotID, _ answer: Int32, _ actions: inout [Action]) -> Bool
  {
    guard let flight = inFlight.remove(slot) else { return false }
    let request = flight.request
    request.slot = nil
    leave(request)
    if flight.isGivenUp { return true }
    if answer > 0, !request.awaitsReadiness, request.goesOn(after: Int(answer)) {
      ready.append(request)
      return true
    }
    if request.awaitsReadiness, answer >= 0 {
      request.awaitsReadiness = false
      ready.append(request)
      return true
    }
    // Bounded by the policy.
    request.attempts &+= 1
    let policy = AnswerPolicy(
      answer: answer,
      attempts: Int(request.attempts),
      isCancelled: request.isCancelled.load(ordering: .acquiring),
      kind: request.kind,
      waitsForPeer: request.waitsForPeer,
      waitsForRoom: request.direction == .write
    )
    switch policy {
    case .end(let answer): actions.append(.end(request, request.whole(answer)))
    case .again:
      noteRetry(request, answer, &actions)
      ready.append(request)
    case .afterReadiness:
      noteRetry(request, answer, &actions)
      request.awaitsReadiness = true
      ready.append(request)
    case .reroute: reroute(request, &actions)
    }
    return true
  }

  private func noteRetry(_ request: Request, _ answer: Int32, _ actions: inout [Action]) {
    if request.observer != nil { actions.append(.noteRetry(request, answer)) }
  }

  /// Gives everything up: the kernel takes and answers nothing any more.
  ///
  /// What it had ends with an error; what waited goes to the threads.
  ///
  /// - Returns: The requests whose memory the kernel may still use, for ever.
  package mutating func abandon(_ actions: inout [Action]) -> [Request] {
    let lost = inFlight.removeAll()
    workerCount = 0
    workerWriteCount = 0
    for flight in lost where !flight.isGivenUp {
      // Of a piece that may yet be written nothing is written anew behind the owner's back.
      flight.request.forgetPieces()
      actions.append(.end(flight.request, -SystemError.ioError.rawValue))
    }
    while let request = ready.popFirst() { reroute(request, &actions) }
    for request in devices.removeHeld(where: { _ in true }) { reroute(request, &actions) }
    return lost.map(\.request)
  }

  /// Cancels all that waits and all that the kernel has.
  mutating func cancelAll(_ actions: inout [Action]) {
    for request in inFlight.elements.map(\.request) {
      request.isCancelled.store(true, ordering: .releasing)
      if let slot = request.slot { actions.append(.cancel(slot)) }
    }
    let waiting = ready.removeAll { _ in true } + devices.removeHeld { _ in true }
    for request in waiting {
      request.isCancelled.store(true, ordering: .releasing)
      actions.append(.end(request, request.whole(Self.canceled)))
    }
  }

  /// Ends what the kernel has as cancelled, and closes as late, although the kernel still has it.
  ///
  /// The requests stay here, with their memory, until the kernel answers.
  ///
  /// - Returns: Their number.
  mutating func giveUp(_ actions: inout [Action]) -> Int {
    var count = 0
    inFlight.change { flight in
      // Who hears that a close was cancelled closes again, perhaps what got the number since.
      let isClose = flight.request.kind == .close
      let answer =
        isClose ? -SystemError.timedOut.rawValue : flight.request.whole(Self.canceled)
      if !flight.isGivenUp { actions.append(.end(flight.request, answer)) }
      flight.isGivenUp = true
      count += 1
    }
    return count
  }

  /// The requests that the kernel has had since `time` or longer.
  package func started(before time: Int64) -> [(request: Request, start: Int64)] {
    inFlight.elements.filter { $0.start <= time }.map { ($0.request, $0.start) }
  }
}

// MARK: - Devices that do not answer

/// The kernel sorts writes of files by their inodes into 64 lines, in each of which one worker does
/// one after the other. A write of another device may so come to stand behind one that hangs.
extension RequestScheduler {
  /// How long a worker may be with a device before that counts as slow, in nanoseconds.
  package static let slowAge: Int64 = 1_000_000_000

  /// Whether `look` is to be called after so long.
  package var needsLook: Bool { workerCount > 0 }

  /// Looks which devices have kept workers for long.
  ///
  /// As long as there is one, threads do what may take a worker for other devices, and what
  /// stands in the kernel's lines behind it is taken back.
  package mutating func look(at now: Int64, _ actions: inout [Action]) {
    for index in devices.lines.indices { devices.lines[index].isSlow = false }
    let waiting = inFlight.elements.filter {
      $0.start <= now - Self.slowAge && $0.request.workerNeed != .none
    }
    for flight in waiting {
      if let index = line(of: flight.request) { devices.lines[index].isSlow = true }
    }
    for flight in waiting {
      // Of a write that a worker has begun on a disk the kernel takes nothing back.
      if let slot = flight.request.slot, flight.request.kind == .write,
        isBehindSlowWorker(flight.request), !flight.isGivenUp
      {
        actions.append(.cancel(slot))
      }
    }
  }

  private func isBehindSlowWorker(_ request: Request) -> Bool {
    devices.hasSlowWorker(besides: request.device) && request.workerNeed != .none
  }
}
