import QueueRuntime
import Synchronization
import SystemCalls

/// Carries requests out with plain calls on the blocking pool.
///
/// A call that would wait for a peer does not hold a thread: the descriptor is given to the kernel
/// to wait for, and the call is made again when it is ready. The user's `O_NONBLOCK` flag is
/// neither needed nor touched.
final class ThreadBackend: Backend {
  /// What a descriptor takes without waiting once it is ready for writing (`PIPE_BUF`).
  private static let readyLength = 4096

  private let pool: BlockingPool
  private let statistics: Statistics
  private let waiting: ReadinessWaiter
  private let timeouts = TimeoutWaiter()

  init(pool: BlockingPool, statistics: Statistics) {
    self.pool = pool
    self.statistics = statistics
    waiting = ReadinessWaiter()
  }

  func submit(_ request: Request) {
    pool.submit(RequestJob(request: request, backend: self), qos: request.priority)
  }

  func cancel(_ request: Request) {
    request.isCancelled.store(true, ordering: .releasing)
    if request.kind == .timeout {
      timeouts.cancel(request) { submit(request) }
    } else {
      waiting.cancel(request) { submit(request) }
    }
  }

  fileprivate func perform(_ request: Request) {
    if request.isCancelled.load(ordering: .acquiring) {
      request.end(.failure(.canceled))
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
      timeouts.wait(for: request) { [self] in submit(request) }
    } else {
      waiting.wait(for: request) { [self] in submit(request) }
    }
  }

  private func call(_ request: Request) {
    let isPollable = request.waitsForPeer
    // After readiness was reported, a descriptor that knows no calls without waiting gets a plain
    // one; every other descriptor is still asked not to wait, as someone else may be faster.
    let result = request.call(
      waits: !isPollable || request.awaitsReadiness,
      limit: isPollable && request.awaitsReadiness ? Self.readyLength : .max
    )
    request.awaitsReadiness = false
    if isPollable, case .failure(let error) = result, mustWait(error, request) {
      waiting.wait(for: request) { [self] in submit(request) }
      return
    }
    end(request, result)
  }

  private func end(_ request: Request, _ result: TransferResult) {
    if case .success(let answer) = result {
      statistics.countThread(request.kind, answer: answer)
    }
    request.end(result)
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

/// One turn of a request on a thread of the pool.
private final class RequestJob: PoolJob {
  private let request: Request
  private let backend: ThreadBackend

  init(request: Request, backend: ThreadBackend) {
    self.request = request
    self.backend = backend
  }

  func run() {
    backend.perform(request)
  }
}
