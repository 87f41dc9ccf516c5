package import QueueRuntime
import Synchronization
import SystemCalls

/// Threads for system calls that may block.
///
/// It is apart from the workers of queues, so that calls go on while every worker is blocked in
/// code of users.
package final class BlockingPool: Sendable {
  package static let shared = BlockingPool()

  private let workers: WorkerPool

  private init() {
    let bound = min(max(2 * ProcessorCount.usable, 4), 64)
    workers = WorkerPool(name: "io", width: bound, maximum: bound)
  }

  /// Runs a job on a thread of the pool, in the order of submission as threads become free.
  package func submit(_ job: any PoolJob) {
    workers.submit(job)
  }

  /// A share of the pool that never runs more than `width` jobs at a time.
  package func makeLane(width: Int) -> Lane {
    Lane(pool: self, width: width)
  }
}

extension BlockingPool {
  /// A share of a pool with its own bound.
  package final class Lane: Sendable {
    private let pool: BlockingPool
    private let state: Mutex<LaneState<LaneJob>>

    fileprivate init(pool: BlockingPool, width: Int) {
      precondition(width > 0, "A lane is at least one job wide.")
      self.pool = pool
      state = Mutex(LaneState(width: width))
    }

    /// Runs a job when fewer than `width` jobs of the lane are running.
    package func submit(_ job: @escaping @Sendable () -> Void) {
      let job = LaneJob(lane: self, body: job)
      if state.withLock({ $0.submit(job) }) { pool.submit(job) }
    }

    fileprivate func ended() {
      if let next = state.withLock({ $0.ended() }) { pool.submit(next) }
    }
  }

  fileprivate final class LaneJob: PoolJob {
    private let lane: Lane
    private let body: @Sendable () -> Void

    init(lane: Lane, body: @escaping @Sendable () -> Void) {
      self.lane = lane
      self.body = body
    }

    func run() {
      body()
      lane.ended()
    }
  }
}
