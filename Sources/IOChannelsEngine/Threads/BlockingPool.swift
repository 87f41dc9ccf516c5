package import QueueRuntime
import IOChannelsSystem

/// A pool of threads for one kind of work that may block in the kernel.
///
/// Its threads are separate from the workers of queues, so that transfers continue while every
/// worker is blocked in code of users. They are separate from those of other blocking pools,
/// because a job of one pool may wait for jobs of another.
package final class BlockingPool: Sendable {
  /// The pool for the engine's own calls.
  package static let transfers = BlockingPool(
    name: "io",
    width: transferWidth,
    maximum: transferLimit
  )

  /// The pool for calls on the names and attributes of files.
  package static let names = BlockingPool(
    name: "io-name",
    width: transferWidth,
    maximum: transferLimit
  )

  /// The number of concurrent calls in such a pool while none is blocked.
  ///
  /// On two processors, 4 threads read 16 KiB of a disk in 22 to 25 µs, 2 in 26 and 16 in 20 to 24.
  static let transferWidth = min(max(2 * ProcessorCount.usable, 4), 64, transferLimit)

  /// The most threads of such a pool in each class.
  static let transferLimit = EngineLimit.threads.value(default: 64)

  let workers: WorkerPool

  /// The number of concurrent calls for one device in each class: a quarter of the most threads.
  let callsPerDevice: Int

  /// Creates a pool without threads, which start with its jobs and end when there are none.
  ///
  /// - Parameters:
  ///   - name: The start of its threads' names.
  ///   - width: The number of concurrent jobs while none is blocked, at least 1.
  ///   - maximum: The number of concurrent jobs in all; `width` by default.
  ///   - runsUserCode: Whether jobs call code of the program (S165).
  package init(name: String, width: Int, maximum: Int? = nil, runsUserCode: Bool = false) {
    workers = WorkerPool(
      nameOfOwnWork: name,
      width: width,
      maximumThreadCount: maximum ?? width,
      runsUserCode: runsUserCode
    )
    callsPerDevice = max((maximum ?? width) / 4, 1)
  }

  /// Runs a job on a thread of the pool, in the order of submission.
  ///
  /// If the system has no thread at all, the job runs before this returns.
  package func submit(_ job: any PoolJob, qos: WorkQueue.QoS.QoSClass = .default) {
    workers.submit(job, qos: qos)
  }

  /// Whether a job for the threads of the class waits.
  func hasWaitingJobs(qos: WorkQueue.QoS.QoSClass) -> Bool {
    workers.hasWaitingJobs(qos: qos)
  }

  /// Runs a closure as a job.
  package func submit(_ job: @escaping @Sendable () -> Void) {
    workers.submit(job)
  }
}
