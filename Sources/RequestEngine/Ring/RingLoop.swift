import QueueRuntime
import Synchronization
import SystemCalls

/// What the ring's thread does, turn by turn.
///
/// `@unchecked Sendable` because it is handed to the one thread that uses it.
final class RingLoop: @unchecked Sendable {
  private let ring: Ring
  private let threads: ThreadBackend
  private let statistics: Statistics

  /// Requests in the kernel's hands.
  private var inFlight = SlotTable<Request>(capacity: Int(Ring.completionEntries) - 2)
  /// Requests that wait for a slot or for another attempt.
  private var ready = FirstInFirstOut<Request>()
  /// Requests whose answer has come, told after the whole batch was read.
  private var ended: [(request: Request, answer: Int32)] = []
  private var hasCancelledReady = false
  private var isWakeupArmed = false
  private var refusals = 0

  private static let wakeupToken = UInt64.max
  private static let cancellationToken = UInt64.max - 1
  /// Requests that may wait for a peer leave this many slots to those that do not.
  private static let pollableLimit = Int(Ring.completionEntries) / 2
  /// How often in a row the kernel may refuse to take requests before the ring is given up.
  private static let refusalLimit = 1000

  init(ring: consuming Ring, threads: ThreadBackend, statistics: Statistics) {
    self.ring = ring
    self.threads = threads
    self.statistics = statistics
  }

  /// Serves the backend until the process ends.
  func run(for backend: RingBackend) {
    backend.begin()
    do throws(Errno) {
      try ring.enable(workers: UInt32(max(4, 2 * ProcessorCount.usable)))
      while true {
        try receive(from: backend)
        try start(backend)
        try backend.asleep { isIdle throws(Errno) in
          // With every slot taken, what is ready waits for answers like everything else.
          try turn(waits: isIdle && (ready.isEmpty || inFlight.isFull))
        }
        finish()
      }
    } catch {
      abandon()
    }
    while true {
      while let message = backend.nextMessage() { forward(message) }
      backend.waitForMessage()
    }
  }

  private func receive(from backend: RingBackend) throws(Errno) {
    while let message = backend.nextMessage() {
      switch message {
      case .submit(let request):
        ready.append(request)
      case .cancel(let request):
        try cancel(request)
      }
    }
  }

  private func cancel(_ request: Request) throws(Errno) {
    if request.isRerouted {
      threads.cancel(request)
    } else if let slot = request.slot, inFlight[slot] === request {
      try prepare { ring.prepareCancellation(of: slot.token, token: Self.cancellationToken) }
    } else {
      // It has ended, or it is ready and ends when it is looked at.
      hasCancelledReady = true
    }
  }

  /// Prepares everything that is ready.
  private func start(_ backend: RingBackend) throws(Errno) {
    if !isWakeupArmed {
      let descriptor = backend.wakeupDescriptor
      try prepare { ring.prepareWakeup(from: descriptor, token: Self.wakeupToken) }
      isWakeupArmed = true
    }
    if hasCancelledReady { endCancelledReady() }
    while !inFlight.isFull, let request = ready.popFirst() {
      if request.isCancelled.load(ordering: .acquiring) {
        ended.append((request, -Errno.canceled.rawValue))
        continue
      }
      if request.traits.kind == .pollable, inFlight.count >= Self.pollableLimit {
        reroute(request)
        continue
      }
      guard let slot = inFlight.insert(request) else { return }
      request.slot = slot
      try prepare {
        request.awaitsReadiness
          ? ring.preparePoll(for: request, token: slot.token)
          : ring.prepareTransfer(of: request, token: slot.token)
      }
    }
  }

  /// Ends what was cancelled before the kernel had it, which a full table would keep for long.
  private func endCancelledReady() {
    hasCancelledReady = false
    for _ in 0..<ready.count {
      guard let request = ready.popFirst() else { return }
      if request.isCancelled.load(ordering: .acquiring) {
        ended.append((request, -Errno.canceled.rawValue))
      } else {
        ready.append(request)
      }
    }
  }

  /// Hands a request to the threads for good.
  private func reroute(_ request: Request) {
    request.isRerouted = true
    request.awaitsReadiness = false
    threads.submit(request)
  }

  /// Prepares one entry, handing earlier ones to the kernel when there is no room.
  private func prepare(_ entry: () -> Bool) throws(Errno) {
    while !entry() { try turn(waits: false) }
  }

  /// Enters the kernel once: submits, lets it work, and waits if there is nothing else to do.
  private func turn(waits: Bool) throws(Errno) {
    do {
      try ring.submit(waits: waits && ended.isEmpty)
      refusals = 0
    } catch {
      switch error {
      case .interrupted, .timedOut:
        return
      case .resourceTemporarilyUnavailable, .resourceBusy:
        // The kernel wants its answers read first.
        refusals += 1
        if refusals > Self.refusalLimit { throw error }
      default:
        throw error
      }
    }
  }

  /// Reads all answers, then tells the owners.
  ///
  /// Owners submit further requests from here; these are messages like any other, so the stack
  /// does not grow.
  private func finish() {
    while let completion = ring.takeCompletion() {
      switch completion.token {
      case Self.wakeupToken: isWakeupArmed = false
      case Self.cancellationToken: break
      default: take(completion)
      }
    }
    let batch = ended
    ended.removeAll(keepingCapacity: true)
    for (request, answer) in batch { tell(request, answer) }
  }

  private func take(_ completion: Ring.Completion) {
    guard let request = inFlight.remove(SlotID(token: completion.token)) else { return }
    request.slot = nil
    let isCancelled = request.isCancelled.load(ordering: .acquiring)
    if request.awaitsReadiness, completion.result >= 0 {
      request.awaitsReadiness = false
      ready.append(request)
      return
    }
    request.attempts += 1
    let policy = AnswerPolicy(
      answer: completion.result,
      attempts: request.attempts,
      isCancelled: isCancelled,
      kind: request.traits.kind
    )
    switch policy {
    case .end(let answer): ended.append((request, answer))
    case .again: ready.append(request)
    case .afterReadiness:
      request.awaitsReadiness = true
      ready.append(request)
    case .reroute: reroute(request)
    }
  }

  private func tell(_ request: Request, _ answer: Int32) {
    if answer < 0 {
      request.end(.failure(Errno(rawValue: -answer)))
      return
    }
    statistics.countRing(request.direction, bytes: Int(answer))
    request.end(.success(Int(answer)))
  }

  /// Gives the ring up: it can no longer be entered.
  ///
  /// The kernel may go on writing into memory of requests in flight, so these are never freed.
  private func abandon() {
    for request in inFlight.removeAll() {
      AbandonedRequests.keep(request)
      request.end(.failure(.ioError))
    }
    for (request, answer) in ended { tell(request, answer) }
    ended = []
    while let request = ready.popFirst() { reroute(request) }
  }

  private func forward(_ message: RingBackend.Message) {
    switch message {
    case .submit(let request): threads.submit(request)
    case .cancel(let request): threads.cancel(request)
    }
  }
}
