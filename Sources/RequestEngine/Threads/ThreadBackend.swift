import QueueRuntime
import Synchronization
import SystemCalls

/// Carries requests out with plain calls on the blocking pool.
///
/// A call that would wait for a peer does not hold a thread: the descriptor is given to the kernel
/// to wait for, and the call is made again when it is ready. The user's `O_NONBLOCK` flag is
/// neither needed nor touched.
final class ThreadBackend: EndingBackend {
  /// What a descriptor takes without waiting once it is ready for writing (`PIPE_BUF`).
  private static let readyLength = 4096

  /// The most requests that one thread carries out before it looks for other jobs.
  private static let turn = 64

  let pool: BlockingPool
  private let statistics: Statistics
  private let waiting: ReadinessWaiter
  private let timeouts = TimeoutWaiter()
  private let open: BargingLock<OpenRequests>
  /// Holds one until a stop has come to its end.
  private let life = WorkGroup()

  init(pool: BlockingPool, statistics: Statistics) {
    self.pool = pool
    self.statistics = statistics
    waiting = ReadinessWaiter(pool: pool)
    open = BargingLock(OpenRequests(callsPerDevice: pool.callsPerDevice))
    life.enter()
  }

  func submit(_ request: Request) {
    let begins = open.withLock { $0.add(request) }
    if !begins { request.isCancelled.store(true, ordering: .releasing) }
    // What the owner of a request asks for at its end goes on where that ended.
    if request.isTransferOfFile, FollowUp.leave(request, for: self) { return }
    enqueue(request)
  }

  func cancel(_ request: Request) {
    request.isCancelled.store(true, ordering: .releasing)
    if request.kind == .timeout {
      timeouts.cancel(request) { enqueue(request) }
    } else if request.waitsForPeer {
      waiting.cancel(request)
    } else if open.withLock({ $0.takeHeld(request) }) {
      enqueue(request)
    } else if request.kind == .open {
      pool.submit { [self] in endEarly(request) }
    }
  }

  private func enqueue(_ request: Request) {
    pool.submit(RequestJob(request: request, backend: self), qos: request.priority)
  }

  /// Makes the calls of a request, and of those that its owner asks for at the end, until others
  /// wait for the thread.
  fileprivate func performAll(from first: Request) {
    var next: Request? = first
    for _ in 0..<Self.turn {
      guard let request = next else { return }
      next = FollowUp.left(for: self, priority: request.priority) { perform(request) }
      if pool.hasWaitingJobs(qos: request.priority) { break }
    }
    if let next { enqueue(next) }
  }

  private func perform(_ request: Request) {
    guard open.withLock({ $0.beginCall(request) }) else { return }
    if request.isCancelled.load(ordering: .acquiring) {
      end(request, .failure(.canceled))
      return
    }
    switch request.kind {
    case .poll, .timeout: wait(for: request)
    default: call(request)
    }
  }

  /// Takes a request that only waits: for the first time, or when what it waits for has come.
  private func wait(for request: Request) {
    if request.awaitsReadiness {
      end(request, .success(0))
      return
    }
    request.awaitsReadiness = true
    if request.kind == .timeout {
      timeouts.wait(for: request) { [self] in enqueue(request) }
    } else {
      awaitReadiness(for: request)
    }
  }

  private func call(_ request: Request) {
    let isPollable = request.waitsForPeer
    // After readiness was reported, a descriptor that knows no calls without waiting gets a plain
    // one; every other descriptor is still asked not to wait, as someone else may be faster.
    request.callStart.store(KernelClock.uptime.nanoseconds, ordering: .relaxed)
    let result = request.call(
      waits: !isPollable || request.awaitsReadiness,
      limit: isPollable && request.awaitsReadiness ? Self.readyLength : .max
    )
    request.callStart.store(0, ordering: .relaxed)
    request.awaitsReadiness = false
    if isPollable, case .failure(let error) = result, mustWait(error, request) {
      // Nothing tells when to ask again.
      if request.cannotAwait { return end(request, .failure(.notSupported)) }
      awaitReadiness(for: request)
      return
    }
    end(request, result)
  }

  private func awaitReadiness(for request: Request) {
    waiting.wait(for: request) { [self] outcome in
      switch outcome {
      case .over: performAll(from: request)
      case .failed(let error): end(request, .failure(error))
      case .impossible:
        // A plain call finds out, even if it has to wait; for a poll that is answer enough.
        request.cannotAwait = true
        request.awaitsReadiness = true
        enqueue(request)
      }
    }
  }

  private func mustWait(_ error: Errno, _ request: Request) -> Bool {
    switch error {
    case .resourceTemporarilyUnavailable:
      return true
    case .notSupported:
      request.awaitsReadiness = true
      return true
    default:
      return false
    }
  }
}

// MARK: - Looks

extension ThreadBackend {
  /// The plain calls that began at `start` or before and have not returned.
  func stuck(before start: Int64) -> [StuckRequests.Entry] {
    let now = KernelClock.uptime.nanoseconds
    return open.withLock(\.all).compactMap { request in
      let began = request.callStart.load(ordering: .relaxed)
      guard began != 0, began <= start, !request.waitsForPeer else { return nil }
      return .init(request: RequestSummary(request), age: .nanoseconds(now - began))
    }
  }
}

// MARK: - Ends

extension ThreadBackend {
  private func end(_ request: Request, _ result: TransferResult) {
    let (end, settles) = open.withLock { open in
      let end = open.beginEnd(of: request)
      return (end, open.settles())
    }
    if let next = end.next { enqueue(next) }
    // The answer to a request that was given up comes too late.
    guard end.isTold else {
      discard(result, of: request)
      if settles { life.leave() }
      return
    }
    if case .success(let answer) = result {
      statistics.countThread(request.kind, answer: answer)
    }
    tell(request, result)
  }

  /// Ends a cancelled opening, whose call may wait for the other end of a pipe for any time.
  ///
  /// Nothing of it belongs to the owner but the descriptor, which is closed if it comes.
  private func endEarly(_ request: Request) {
    guard open.withLock({ $0.beginEarlyEnd(of: request) }) else { return }
    tell(request, .failure(.canceled))
  }

  private func tell(_ request: Request, _ result: TransferResult) {
    request.end(result)
    if open.withLock({ $0.finishEnd() }) { life.leave() }
  }

  /// Closes a descriptor that nobody takes any more.
  private func discard(_ result: TransferResult, of request: Request) {
    guard request.kind == .open, case .success(let number) = result else { return }
    _ = FileDescriptor(owning: Int32(number))
  }

  func stop() {
    let (requests, isFirst, settles) = open.withLock { open in
      let isFirst = !open.isStopped
      return (open.stop(), isFirst, open.settles())
    }
    guard isFirst else { return }
    for request in requests { cancel(request) }
    if settles { life.leave() }
  }

  func settle(until deadline: Deadline) -> Int {
    defer { waiting.close() }
    if life.wait(timeout: deadline) == .success { return 0 }
    let (stuck, settles) = open.withLock { ($0.giveUp(), $0.settles()) }
    for (request, error) in stuck.untold { request.end(.failure(error)) }
    if settles { life.leave() }
    return stuck.count
  }
}

/// One turn of a request, and of those that follow it, on a thread of the pool.
private final class RequestJob: PoolJob {
  private let request: Request
  private let backend: ThreadBackend

  init(request: Request, backend: ThreadBackend) {
    self.request = request
    self.backend = backend
  }

  func run() {
    backend.performAll(from: request)
  }
}
