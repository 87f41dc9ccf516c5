package import QueueRuntime
import IOChannelsSystem

/// Threads for work that may block in the kernel, a lane for each kind of work.
///
/// A lane has threads of its own: they are apart from the workers of queues, so that transfers go
/// on while every worker is blocked in code of users, and apart from each other, because a job of
/// one lane may wait for jobs of another.
package final class BlockingPool: Sendable {
  /// The lane of the engine's own calls.
  package static let transfers = BlockingPool(
    lane: "io",
    width: transferWidth,
    maximum: 64
  )

  /// How many calls such a lane makes at a time while none is blocked.
  static let transferWidth = min(max(2 * ProcessorCount.usable, 4), 64)

  let workers: WorkerPool

  /// How many calls the engine makes for one device at a time, of each class: a quarter of the
  /// threads that there may be.
  let callsPerDevice: Int

  /// Makes a lane without threads; they start with its jobs and end when there are none.
  ///
  /// - Parameters:
  ///   - name: The start of its threads' names.
  ///   - width: How many jobs run at a time while none is blocked, at least 1.
  ///   - maximum: How many run at a time in all; as many as `width` by default.
  ///   - runsUserCode: Whether jobs call code of the program (S165).
  package init(lane name: String, width: Int, maximum: Int? = nil, runsUserCode: Bool = false) {
    workers = WorkerPool(
      nameOfOwnWork: name,
      width: width,
      maximum: maximum ?? width,
      runsUserCode: runsUserCode
    )
    callsPerDevice = max((maximum ?? width) / 4, 1)
  }

  /// Runs a job on a thread of the lane, in the order of submission as threads become free.
  ///
  /// Where the system gives no thread at all, the job runs before this returns.
  package func submit(_ job: any PoolJob, qos: WorkQueue.QoS.QoSClass = .default) {
    workers.submit(job, qos: qos)
  }

  /// Whether a job of the class's threads waits.
  func hasWaitingJobs(qos: WorkQueue.QoS.QoSClass) -> Bool {
    workers.hasWaitingJobs(qos: qos)
  }

  /// Runs a closure as a job.
  package func submit(_ job: @escaping @Sendable () -> Void) {
    workers.submit(job)
  }
}
