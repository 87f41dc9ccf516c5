internal import Synchronization
internal import SystemCalls

/// The iterations of a loop that several threads share while its owner waits.
///
/// Helpers come and go as threads are free. The owner works itself, then closes the loop and waits
/// for the helpers inside; one that comes later finds it closed and touches nothing.
@safe
final class ParallelLoop: Sendable {
  /// How many shares the part of each thread is cut into; with one, two threads would wait for the
  /// first half of the iterations in one piece, which may be the long ones.
  private static let sharesEach = 2

  /// The queue as whose work helpers run iterations.
  private let queue: WorkQueue
  private let iterations: Int
  /// The most that take part, which decides how large shares are.
  private let participants: Int
  private let next = Atomic<Int>(0)
  /// Twice the number of helpers inside, and 1 once the loop is closed.
  private let helpers = Atomic<UInt32>(0)
  /// What to call; only threads inside may look here.
  private nonisolated(unsafe) var body: ((Int) -> Void)?

  /// Makes a loop; `body` is not used any more after `closeAndWait()`.
  init(
    in queue: WorkQueue,
    iterations: Int,
    participants: Int,
    body: @escaping (Int) -> Void
  ) {
    self.queue = queue
    self.iterations = iterations
    self.participants = participants
    unsafe self.body = body
  }

  /// Runs iterations until none are left.
  func work() {
    guard let body = unsafe body else { return }
    while let share = takeShare() {
      for iteration in share { body(iteration) }
    }
  }

  /// Runs iterations on another thread than the owner's, unless the loop is closed.
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
    // Who is inside has found the last share taken, or is about to: often that is quicker than
    // parking.
    spin { helpers.load(ordering: .acquiring) == 1 }
    while case let seen = helpers.load(ordering: .acquiring), seen != 1 {
      helpers.park(while: seen)
    }
    unsafe body = nil
  }

  private func leave() {
    if helpers.subtract(2, ordering: .acquiringAndReleasing).newValue == 1 { helpers.unpark() }
  }

  /// The next iterations: fewer the fewer are left, so that all threads end at about the same time.
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

/// A worker that helps comes straight from the pool when the queue is a global one, which has
/// nothing to say about when.
extension ParallelLoop: PoolJob {
  func run() {
    QueueFrame.run(on: queue, .shared) { help() }
  }
}
