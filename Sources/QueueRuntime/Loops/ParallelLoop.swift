internal import Synchronization
internal import IOChannelsSystem

/// The iterations of a loop that several threads share while its owner waits.
///
/// Helper threads join as they become free. The owner runs iterations itself, then closes the loop
/// and waits for the helpers inside. A later helper finds the loop closed and accesses nothing.
@safe
final class ParallelLoop: Sendable {
  /// The number of shares for each thread. With one share, two threads would wait for the first
  /// half of the iterations, which may be the long ones.
  private static let sharesEach = 2

  /// The queue as whose work helpers run iterations.
  private let queue: WorkQueue
  private let iterations: Int
  /// The most threads that take part; it decides the size of the shares.
  private let participants: Int
  private let next = Atomic<Int>(0)
  /// Twice the number of helpers inside, plus 1 once the loop is closed.
  private let helpers = Atomic<UInt32>(0)
  /// The body of the loop; only threads inside may access it.
  private nonisolated(unsafe) var body: ((Range<Int>) -> Void)?

  /// Creates a loop; `body` is not used any more after `closeAndWait()`.
  init(
    in queue: WorkQueue,
    iterations: Int,
    participants: Int,
    body: @escaping (Range<Int>) -> Void
  ) {
    self.queue = queue
    self.iterations = iterations
    self.participants = participants
    unsafe self.body = body
  }

  /// Runs iterations until none are left.
  func work() {
    guard let body = unsafe body else { return }
    while let share = takeShare() { body(share) }
  }

  /// Runs iterations on a helper thread, unless the loop is closed.
  func help() {
    var seen = helpers.load(ordering: .relaxed)
    while seen & 1 == 0 {
      let (exchanged, found) = helpers.weakCompareExchange(
        expected: seen,
        desired: seen + 2,
        successOrdering: .acquiring,
        failureOrdering: .relaxed
      )
      if exchanged {
        work()
        leave()
        return
      }
      seen = found
    }
  }

  /// Keeps further helpers out and waits until those inside have left.
  func closeAndWait() {
    helpers.bitwiseOr(1, ordering: .acquiringAndReleasing)
    // The helpers inside have found the last share taken, or are about to: a short spin is often
    // quicker than parking.
    spin { helpers.load(ordering: .acquiring) == 1 }
    while case let seen = helpers.load(ordering: .acquiring), seen != 1 {
      helpers.park(while: seen)
    }
    unsafe body = nil
  }

  private func leave() {
    if helpers.subtract(2, ordering: .acquiringAndReleasing).newValue == 1 { helpers.unpark() }
  }

  /// Takes the next iterations: shares shrink towards the end, so that all threads end at about the
  /// same time.
  private func takeShare() -> Range<Int>? {
    var seen = next.load(ordering: .relaxed)
    while seen < iterations {
      let share = max(1, (iterations - seen) / (participants * ParallelLoop.sharesEach))
      let (exchanged, found) = next.weakCompareExchange(
        expected: seen,
        desired: seen + share,
        ordering: .relaxed
      )
      if exchanged { return seen..<seen + share }
      seen = found
    }
    return nil
  }
}

/// A helper comes directly from the pool when the queue is a global one, because a global queue
/// never delays work.
extension ParallelLoop: PoolJob {
  func run() {
    QueueFrame.run(on: queue, .shared) { help() }
  }
}
