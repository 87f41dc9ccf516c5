/// Something a pool's worker runs once for each time it was submitted.
package protocol PoolJob: AnyObject, Sendable {
  /// Does the work, on a thread of the pool.
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
