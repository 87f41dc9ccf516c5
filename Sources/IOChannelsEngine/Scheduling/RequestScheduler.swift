import QueueRuntime
import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

/// The decisions about the requests that the kernel gets, and about its completions.
///
/// Events go in, and actions come out, which the caller carries out in order. The scheduler uses no
/// kernel call, thread or clock. The ring's thread drives it, and so does the simulator.
package struct RequestScheduler: ~Copyable {
  /// An action for the driver of the scheduler.
  package enum Action {
    /// Submit a request to the kernel.
    case start(Request, SlotID)
    /// Submit a wait for the readiness of the request's descriptor.
    case awaitReadiness(Request, SlotID)
    /// Ask the kernel to cancel a request.
    case cancel(SlotID)
    /// Report the result of a request to its owner: the kernel's number, negative for an error.
    case end(Request, Int32)
    /// Report to the observer that a request is retried after this result.
    case noteRetry(Request, Int32)
    /// Pass a request to the threads for good.
    case reroute(Request)
    /// Have the threads cancel a request.
    case cancelRerouted(Request)
    /// Nothing: the place of an action that the caller has moved out of the list.
    case taken
  }

  /// The limits on the requests that the kernel has at a time.
  package struct Limits: Sendable {
    /// The limit for all requests.
    package var requests: Int
    /// The limit for requests that may wait for a peer, which leaves slots to the others.
    package var pollable: Int
    /// The limit for one device, beyond which the kernel would block the submitter.
    package var perDevice: Int
    /// The limit for one device of requests that usually need a worker thread of the kernel.
    ///
    /// Twice as many may rarely need one. So a device that does not respond leaves workers to the
    /// others. These limits come on top of `perDevice`.
    package var workersPerDevice: Int
    /// The most bytes in one piece of a buffered write to a file (S178).
    package var piece: Int

    /// Creates a set of limits.
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

  /// A request that the kernel has.
  private struct Flight {
    var request: Request
    var start: Int64
  }

  private let limits: Limits
  private var inFlight: SlotTable<Flight>
  private var pollableCount = 0
  /// The requests that wait for a slot or for another attempt.
  private var ready = FirstInFirstOut<Request>()
  private var devices = DeviceQueues()
  private var hasCancelledReady = false
  /// The number of requests in the kernel that may have a worker, and of writes that usually do.
  private var workerCount = 0
  private var workerWriteCount = 0

  /// Creates a scheduler without requests.
  package init(limits: Limits) {
    self.limits = limits
    inFlight = SlotTable(capacity: limits.requests)
  }

  /// Whether `start` would submit or end a request.
  package var canStart: Bool {
    hasCancelledReady || !inFlight.isFull && (!ready.isEmpty || devices.canStart)
  }

  /// Whether there are no requests.
  var isEmpty: Bool { inFlightCount == 0 && waitingCount == 0 }

  /// The number of requests that the kernel has.
  package var inFlightCount: Int { inFlight.count }

  /// The most completions to wait for at once.
  static let sharedEndLimit = 8

  /// The number of completions to wait for at once, and their device.
  ///
  /// Nil unless the kernel has only writes to one device, of which its workers carry out those of a
  /// file one after the other. As long as a quarter of them is queued in the kernel, the device has
  /// work while several completions are reported together.
  var sharedEnds: (count: Int, device: UInt64)? {
    let count = workerWriteCount
    guard count > 2, count == inFlightCount else { return nil }
    let busy = devices.queues.filter { $0.count > 0 }
    guard busy.count == 1 else { return nil }
    return (min(count * 3 / 4, Self.sharedEndLimit), busy[0].key.device)
  }

  /// The number of waiting requests.
  package var waitingCount: Int { ready.count + devices.waitingCount }
}

// MARK: - Requests come

extension RequestScheduler {
  /// Adds a request, which waits for `start`.
  package mutating func submit(_ request: consuming Request) {
    // The cancellation may have come first, and there is only one.
    if request.isCancelled.load(ordering: .acquiring) { hasCancelledReady = true }
    ready.append(request)
  }

  /// Cancels a request, which may have ended already.
  package mutating func cancel(_ request: Request, _ actions: inout [Action]) {
    if request.isRerouted {
      actions.append(.cancelRerouted(request))
    } else if let slot = request.slot, inFlight[slot]?.request === request {
      actions.append(.cancel(slot))
    } else {
      // The request has ended, or it waits and ends at its next examination.
      hasCancelledReady = true
    }
  }

  /// Starts waiting requests within the limits, in order of submission for each device.
  package mutating func start(at now: Int64, _ actions: inout [Action]) {
    if hasCancelledReady { endCancelled(&actions) }
    for index in devices.queues.indices {
      while !inFlight.isFull, devices.queues[index].canStart,
        let request = devices.queues[index].waiting.popFirst()
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
      } else if let index = queue(of: request) {
        if isBehindSlowWorker(request) {
          reroute(request, &actions)
        } else if devices.queues[index].isFull {
          devices.queues[index].waiting.append(request)
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
    on queue: Int?,
    at now: Int64,
    _ actions: inout [Action]
  ) {
    guard let slot = inFlight.insert(Flight(request: request, start: now)) else {
      preconditionFailure("A request starts only while a slot is free.")
    }
    request.slot = slot
    request.cut(at: limits.piece)
    if let queue { devices.queues[queue].count += 1 } else { pollableCount += 1 }
    if request.workerNeed != .none { workerCount += 1 }
    if request.isWorkerWrite { workerWriteCount += 1 }
    actions.append(request.awaitsReadiness ? .awaitReadiness(request, slot) : .start(request, slot))
  }

  /// Records that the kernel no longer has a request.
  private mutating func leave(_ request: Request) {
    if let queue = queue(of: request) { devices.queues[queue].ended() } else { pollableCount -= 1 }
    if request.workerNeed != .none { workerCount -= 1 }
    if request.isWorkerWrite { workerWriteCount -= 1 }
  }

  /// Ends cancelled requests that the kernel does not have, which might wait for long otherwise.
  private mutating func endCancelled(_ actions: inout [Action]) {
    hasCancelledReady = false
    let ended = ready.removeAll { $0.isCancelled.load(ordering: .acquiring) }
    let held = devices.removeWaiting { $0.isCancelled.load(ordering: .acquiring) }
    for request in ended + held { actions.append(.end(request, request.whole(Self.canceled))) }
  }

  private mutating func reroute(_ request: Request, _ actions: inout [Action]) {
    request.isRerouted = true
    request.awaitsReadiness = false
    actions.append(.reroute(request))
  }

  /// Returns the index of a request's device queue, nil for a request that may wait for a peer.
  private mutating func queue(of request: Request) -> Int? {
    guard !request.waitsForPeer else { return nil }
    let need = request.workerNeed
    let limit =
      switch need {
      case .none: limits.perDevice
      case .rare: limits.workersPerDevice * 2
      case .usual: limits.workersPerDevice
      }
    return devices.index(of: .init(device: request.device, resource: .ringSlot(need)), limit: limit)
  }

  private static let canceled = -SystemError.canceled.rawValue
}

// MARK: - Answers come

extension RequestScheduler {
  /// Processes a completion, and ignores one for an earlier use of the slot.
  ///
  /// - Returns: Whether a request was waiting for it.
  package mutating func answered(_ slot: SlotID, _ answer: Int32, _ actions: inout [Action]) -> Bool
  {
    guard let flight = inFlight.remove(slot) else { return false }
    let request = (consume flight).request
    request.slot = nil
    leave(request)
    if answer > 0, !request.awaitsReadiness, request.continues(after: Int(answer)) {
      ready.append(request)
      return true
    }
    if request.awaitsReadiness, answer >= 0 {
      request.awaitsReadiness = false
      let states = ReadinessEvents(rawValue: UInt32(answer))
      switch AnswerPolicy(states: states, direction: request.direction) {
      case .reroute: reroute(request, &actions)
      default: ready.append(request)
      }
      return true
    }
    // The policy limits the number of attempts.
    request.attempts &+= 1
    let policy = AnswerPolicy(
      answer: answer,
      attempts: Int(request.attempts),
      isCancelled: request.isCancelled.load(ordering: .acquiring),
      waitsForPeer: request.waitsForPeer
    )
    switch policy {
    case .end(let answer):
      let whole = request.whole(answer)
      actions.append(.end(consume request, whole))
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

  /// Gives up all requests, because the kernel no longer accepts or completes any.
  ///
  /// Requests in the kernel end with an error. Waiting requests go to the threads.
  ///
  /// - Returns: The requests whose memory the kernel may use for ever.
  package mutating func abandon(_ actions: inout [Action]) -> [Request] {
    let lost = inFlight.removeAll()
    workerCount = 0
    workerWriteCount = 0
    for flight in lost {
      // The pending piece may still be written, so the owner must not write its bytes again.
      flight.request.forgetPieces()
      actions.append(.end(flight.request, -SystemError.ioError.rawValue))
    }
    while let request = ready.popFirst() { reroute(request, &actions) }
    for request in devices.removeWaiting(where: { _ in true }) { reroute(request, &actions) }
    return lost.map(\.request)
  }

  /// Returns the requests that the kernel has had since `time` or longer.
  package func started(before time: Int64) -> [(request: Request, start: Int64)] {
    inFlight.elements.filter { $0.start <= time }.map { ($0.request, $0.start) }
  }
}

// MARK: - Devices that do not answer

/// The kernel distributes writes to files over 64 queues by inode, and one worker serves each
/// queue. So a write to one device may wait behind a write to another device that does not respond.
extension RequestScheduler {
  /// The time in nanoseconds after which a worker that is busy with a device counts as slow.
  package static let slowAge: Int64 = 1_000_000_000

  /// Whether `look` should be called after `slowAge`.
  package var needsLook: Bool { workerCount > 0 }

  /// Finds the devices that have kept workers busy for long.
  ///
  /// As long as there is one, threads carry out requests of other devices that may need a worker.
  /// Writes that wait in the kernel's queues behind it are cancelled and rerouted.
  package mutating func look(at now: Int64, _ actions: inout [Action]) {
    for index in devices.queues.indices { devices.queues[index].isSlow = false }
    let waiting = inFlight.elements.filter {
      $0.start <= now - Self.slowAge && $0.request.workerNeed != .none
    }
    for flight in waiting {
      if let index = queue(of: flight.request) { devices.queues[index].isSlow = true }
    }
    for flight in waiting {
      // The kernel cannot cancel a write that a worker has started.
      if let slot = flight.request.slot, flight.request.kind == .write,
        isBehindSlowWorker(flight.request)
      {
        actions.append(.cancel(slot))
      }
    }
  }

  private func isBehindSlowWorker(_ request: Request) -> Bool {
    devices.hasSlowWorker(besides: request.device) && request.workerNeed != .none
  }
}
