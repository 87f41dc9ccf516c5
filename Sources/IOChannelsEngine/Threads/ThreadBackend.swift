import QueueRuntime
import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

/// A backend that carries out requests with plain calls on the blocking pool.
///
/// A call that would wait for a peer holds no thread. Its descriptor is added to an `epoll` list,
/// and the call is repeated when the descriptor is ready. The user's `O_NONBLOCK` flag is neither
/// needed nor changed. Calls that may block although the descriptor was ready are made on a pool
/// for such calls, and a cancellation interrupts them. The same applies to openings.
final class ThreadBackend: Backend {
  /// The bytes that a descriptor which is ready for writing accepts without blocking (`PIPE_BUF`).
  private static let readyLength = 4096

  /// The most requests that one thread carries out before it takes other jobs.
  private static let batchLength = 64

  let pool: BlockingPool
  let opensAtOnce = true
  private let blockingPools: BlockingPools
  private let interrupter = Interrupter()
  private let statistics: Statistics
  private let waiting: ReadinessWaiter
  private let open: BargingLock<OpenRequests>

  init(pool: BlockingPool, blockingPools: BlockingPools = .shared, statistics: Statistics) {
    self.pool = pool
    self.blockingPools = blockingPools
    self.statistics = statistics
    waiting = ReadinessWaiter(pool: pool)
    open = BargingLock(
      OpenRequests(
        limits: OpenRequests.Limits(
          perDevice: pool.callsPerDevice,
          openings: blockingPools.openingLimit,
          waiting: blockingPools.deviceCallLimit,
          quietWaiting: blockingPools.quietDeviceCallLimit
        )
      )
    )
  }

  deinit {
    waiting.close()
  }

  func submit(_ request: Request) {
    open.withLock { $0.add(request) }
    // The next request of an owner continues on the thread where the last one ended.
    if request.isTransferOfFile, FollowUp.leave(request, for: self) { return }
    enqueue(request)
  }

  func cancel(_ request: Request) {
    request.isCancelled.store(true, ordering: .releasing)
    if open.withLock({ $0.removeWaiting(request) }) {
      enqueue(request)
    } else {
      if request.waitsForPeer { waiting.cancel(request) }
      interrupter.interrupt(request)
      if request.kind == .open { pool.submit { [self] in endEarly(request) } }
    }
  }

  private func enqueue(_ request: Request) {
    let pool = blockingPool(for: request)
    let job = RequestJob(request: request, backend: self, pool: pool)
    pool.submit(job, qos: request.priority)
  }

  private func blockingPool(for request: Request) -> BlockingPool {
    if request.kind == .open {
      return request.awaitsReadiness ? blockingPools.peerOpenings : blockingPools.openings
    }
    // All threads of the pool may be blocked.
    let isCancelled = request.isCancelled.load(ordering: .acquiring)
    return request.makesWaitingCall && !isCancelled ? blockingPools.devices : pool
  }

  /// Submits a call that may block, once a thread of the pool is free for it.
  ///
  /// A request that waits here can be cancelled, unlike a job of the pool.
  private func enqueueWaitingCall(_ request: Request) {
    if open.withLock({ $0.beginCall(request) }) { enqueue(request) }
  }

  /// Carries out a request and those that its owner submits at the end, until other jobs wait for
  /// the thread.
  fileprivate func performAll(from first: Request, on pool: BlockingPool) {
    var next: Request? = first
    for _ in 0..<Self.batchLength {
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
    case .open: openPath(of: request)
    default: call(request)
    }
  }

  private func call(_ request: Request) {
    // After readiness was reported, a descriptor without non-blocking calls gets a blocking one.
    // Any other call still must not block, because another process may be faster.
    let waits = !request.waitsForPeer || request.awaitsReadiness
    let result = timed(request) {
      guard waits, request.isInterruptible else { return request.call(waits: waits) }
      let isReady = request.waitsForPeer && !request.cannotAwait
      let limit = isReady ? Self.readyLength : .max
      return interrupter.call(for: request, ifCancelled: .failure(.canceled)) {
        request.call(waits: true, limit: limit)
      }
    }
    if request.makesWaitingCall { leaveCall(of: request) }
    request.awaitsReadiness = false
    if request.waitsForPeer, case .failure(let error) = result,
      mustWait(error, request, afterWaiting: waits)
    {
      if request.cannotAwait {
        // Readiness for another attempt is not reported. For a file without a peer `EAGAIN` is its
        // own result.
        let isAnswer = request.traits.kind == .seekable
        return end(request, isAnswer ? result : .failure(.notSupported))
      }
      awaitReadiness(for: request)
      return
    }
    end(request, result)
  }

  /// Opens a path, on another pool if a FIFO or character device may block the call.
  private func openPath(of request: Request) {
    let result = timed(request) {
      interrupter.call(for: request, ifCancelled: .failure(.canceled)) { () -> TransferResult? in
        if !request.awaitsReadiness, request.opensPeer { return nil }
        return request.call(waits: true)
      }
    }
    if let result { return end(request, result) }
    leaveCall(of: request)
    request.awaitsReadiness = true
    enqueue(request)
  }

  private func leaveCall(of request: Request) {
    if let next = open.withLock({ $0.leaveCall(of: request) }) { enqueue(next) }
  }

  /// Makes calls and records their start, so that they can be reported as stuck.
  private func timed<Result>(_ request: Request, _ calls: () -> Result) -> Result {
    request.callStart.store(KernelClock.uptime.nanoseconds, ordering: .relaxed)
    defer { request.callStart.store(0, ordering: .relaxed) }
    return calls()
  }

  private func awaitReadiness(for request: Request) {
    waiting.wait(for: request) { [self] outcome in
      switch outcome {
      case .over where request.makesWaitingCall: enqueueWaitingCall(request)
      case .over: performAll(from: request, on: pool)
      case .failed(let error): end(request, .failure(error))
      case .impossible:
        // A plain call finds out, even if it blocks.
        request.cannotAwait = true
        request.awaitsReadiness = true
        enqueueWaitingCall(request)
      }
    }
  }

  private func mustWait(_ error: SystemError, _ request: Request, afterWaiting: Bool) -> Bool {
    switch error {
    case .resourceTemporarilyUnavailable:
      return true
    case .notSupported where !afterWaiting:
      request.awaitsReadiness = true
      return true
    default:
      return false
    }
  }
}

// MARK: - Queries

extension ThreadBackend {
  /// Returns the requests, of which those count as stuck whose call started at `start` or before.
  func report(stuckBefore start: Int64) -> RequestReport {
    let now = KernelClock.uptime.nanoseconds
    let requests = open.withLock(\.all)
    var report = RequestReport()
    report.inFlightCount = waiting.count
    for request in requests {
      let began = request.callStart.load(ordering: .relaxed)
      if began == 0 { continue }
      report.inFlightCount += 1
      if began <= start, !request.waitsForPeer {
        report.stuck.append(.init(request, age: .nanoseconds(now - began)))
      }
    }
    // A wait that ended since `requests` was read is counted in neither way.
    report.waitingCount = max(requests.count - report.inFlightCount, 0)
    return report
  }
}

// MARK: - Ends

extension ThreadBackend {
  private func end(_ request: Request, _ result: TransferResult) {
    let end = open.withLock { $0.end(of: request) }
    if let next = end.next { enqueue(next) }
    guard end.isReported else { return discard(result, of: request) }
    if case .success(let answer) = result {
      statistics.countThread(request.kind, answer: answer)
    }
    request.end(result)
  }

  /// Ends a cancelled opening, whose call may wait for the other end of a FIFO without limit.
  ///
  /// The call uses no memory of the owner. The descriptor is closed if the call returns one.
  private func endEarly(_ request: Request) {
    if open.withLock({ $0.endEarly(request) }) { request.end(.failure(.canceled)) }
  }

  /// Closes the descriptor of an opening whose owner no longer waits.
  private func discard(_ result: TransferResult, of request: Request) {
    guard request.kind == .open, case .success(let number) = result else { return }
    _ = OwnedDescriptor(owning: Int32(number))
  }
}

/// A job that carries out a request, and its follow-ups, on a thread of a pool.
private final class RequestJob: PoolJob {
  private let request: Request
  private let backend: ThreadBackend
  private let pool: BlockingPool

  init(request: Request, backend: ThreadBackend, pool: BlockingPool) {
    self.request = request
    self.backend = backend
    self.pool = pool
  }

  func run() {
    backend.performAll(from: request, on: pool)
  }
}
