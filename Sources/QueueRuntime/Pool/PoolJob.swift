/// A job that a pool's worker runs once for each submission.
package protocol PoolJob: AnyObject, Sendable {
  /// Performs the job, on a thread of the pool.
  func run()
}

/// A closure as a job.
final class ClosureJob: PoolJob {
  private let body: @Sendable () -> Void

  init(body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  func run() { body() }
}
